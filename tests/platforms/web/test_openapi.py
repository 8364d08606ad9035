"""The API does what its own document says, for requests that a machine makes up."""

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from coterie.platforms.web.application import describe

OPERATIONS = [result.ok() for result in schemathesis.openapi.from_dict(describe("0.1.0")).get_all_operations()]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.label)
def test_every_call_keeps_to_the_document(operation, address):
    @given(case=operation.as_strategy())
    @settings(max_examples=15, deadline=None, database=None, suppress_health_check=list(HealthCheck), derandomize=True)
    def check(case):
        case.call_and_validate(base_url=address, excluded_checks=[positive_data_acceptance], timeout=20)

    check()
