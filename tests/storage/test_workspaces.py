from coterie.domain.ids import LOCAL, SessionId, WorkspaceId

GUILD, ANN = WorkspaceId("discord:1"), WorkspaceId("dm:5")


async def test_every_workspace_is_listed_once_seen_and_a_direct_message_by_the_name_of_its_person(storage):
    assert not await storage.workspaces.has(GUILD)
    for workspace, name in ((GUILD, "hall"), (ANN, "Ann")):
        await storage.sessions.create(SessionId(f"dc-{name}"), workspace, name)
    await storage.casts.cast(LOCAL)
    assert list((await storage.workspaces.all()).items()) == [(GUILD, ""), (ANN, "Ann"), (LOCAL, "")]
    assert await storage.workspaces.has(GUILD)
