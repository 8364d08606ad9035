"""One type for each thing that has an identity, so that a type checker tells them apart."""

from typing import NewType

WorkspaceId = NewType("WorkspaceId", str)
"""`local`, `discord:GUILD` or `dm:USER`."""

SessionId = NewType("SessionId", str)
"""One conversation; a prefix (`cli-`, `chat-`, `http-`, `temp-`, `dc-`, `tg-`) and a UUID or hash. Also the key of its queue."""

PersonaId = NewType("PersonaId", int)
"""The row of a persona; rises in order of creation, which is also load order."""

Handle = NewType("Handle", str)
"""The name by which programs call a persona; unique within its workspace, stable under rename."""

MessageId = NewType("MessageId", str)
"""One message, said by a person or a persona; unique in the installation."""

UserId = NewType("UserId", str)
"""A person, by the platform's own id."""

PlaceId = NewType("PlaceId", str)
"""A channel or thread of a server, by the platform's own id."""

RoleId = NewType("RoleId", str)
"""A role that members of a server may have, by the platform's own id."""

TurnId = NewType("TurnId", str)
"""The duty of one persona to answer once."""

LOCAL = WorkspaceId("local")
"""The owner's machine."""
