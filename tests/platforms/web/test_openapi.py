"""The API does what its own document says, for requests that a machine makes up."""

import re
from typing import get_args

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from coterie.platforms.rooms.events import EventName
from coterie.platforms.web.application import describe
from coterie.platforms.web.openapi_page import http_api_page
from coterie.platforms.web.streams import EVENTS

OPERATIONS = [result.ok() for result in schemathesis.openapi.from_dict(describe("0.1.0")).get_all_operations()]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_every_call_keeps_to_the_document(operation, address):
    @given(case=operation.as_strategy())
    @settings(max_examples=15, deadline=None, database=None, suppress_health_check=list(HealthCheck), derandomize=True)
    def check(case):
        case.call_and_validate(base_url=address, excluded_checks=[positive_data_acceptance], timeout=20)

    check()


def test_the_page_for_people_names_every_call_and_links_to_shapes_that_are_there():
    page = http_api_page()
    assert all(f"## `{operation.label}`" in page for operation in OPERATIONS)
    headings = {line.removeprefix("## ").lower() for line in page.splitlines() if line.startswith("## ")}
    assert set(re.findall(r"\]\(#([^)]+)\)", page)) <= headings
    assert "Successful Response" not in page


def test_every_event_of_the_rooms_is_described():
    assert [name for name, _, _ in EVENTS] == list(dict.fromkeys(name for name, _, _ in EVENTS))
    assert {name for name, _, _ in EVENTS} == set(get_args(EventName))


def test_every_call_that_takes_or_gives_json_names_its_shape():
    document = describe("0")
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            for status, response in operation["responses"].items():
                schema = response.get("content", {}).get("application/json", {}).get("schema", {"$ref": ""})
                assert "$ref" in schema or "properties" in schema or "format" in schema, (method, path, status)
