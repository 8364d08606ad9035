"""What happens, in order; asynchronous and short, with no rule of their own."""
