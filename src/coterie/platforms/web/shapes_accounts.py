"""The bodies of the API about accounts with model providers, and about who may use the operator's."""

from datetime import datetime

from pydantic import BaseModel, Field

from coterie.platforms.web.shapes import Given, Text


class ProviderBody(BaseModel):
    """A provider and how it is set up. Keys are never shown."""

    name: str
    title: str
    needs_key: bool
    has_key: bool = Field(description="Whether a key was saved here.")
    from_environment: bool = Field(description="Whether the environment holds a key.")
    variables: list[str] = Field(description="The environment's variables for the key.")
    base_url: str = Field(description="What was saved; empty: the default.")
    default_base_url: str
    problem: str = Field(description="Why what was saved cannot be used, as one sentence; mostly empty.")
    model: str = Field(description="What was saved; empty: the default.")
    default_model: str
    is_subscription: bool = Field(description="Whether the operator's account answers in place of a key, while that is granted.")
    is_enabled: bool = Field(description="Whether this provider answers a person's messages; false for all but a person's own.")


class ProviderList(BaseModel):
    """The catalogue of providers."""

    providers: list[ProviderBody]


class ProviderUpdate(Given):
    """An account with a provider; what is absent or null stays as it is, but a saved key never goes to a new base URL."""

    key: Text | None = Field(default=None, max_length=1000)
    base_url: Text | None = Field(default=None, max_length=2000)
    model: Text | None = Field(default=None, max_length=200)
    is_subscription: bool | None = None


class OwnProviderUpdate(ProviderUpdate):
    """The same for a person. Enabling one provider disables their others."""

    is_enabled: bool | None = None


class SubscriptionBody(BaseModel):
    """That a workspace or a person may use the operator's accounts."""

    holder: str = Field(description="`discord:GUILD`, `dm:USER`, or `user:ID` for a person.")
    until: datetime | None = Field(description="When it ends; null: when it is revoked.")


class SubscriptionList(BaseModel):
    """Everybody who was granted one."""

    subscriptions: list[SubscriptionBody]


class SubscriptionUpdate(Given):
    """How many days it lasts from now; without them, until it is revoked."""

    days: int | None = Field(default=None, ge=1, le=36_500)
