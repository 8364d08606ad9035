"""The gateway: sessions, what each hears, and the sockets they speak through."""
