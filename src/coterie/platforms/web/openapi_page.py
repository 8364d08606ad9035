"""The OpenAPI document as a page for people: `docs/reference/http-api.md` is made of it. What is said there is said in the routes."""

from collections.abc import Iterator, Mapping
from typing import Any

from coterie.platforms.web.application import describe
from coterie.platforms.web.refusals import ERROR

_COMMON = ("400", "401", "403", "413", "503")
"""Refusals that every call may give; they are told once."""
_REFUSAL = f"`application/json`, [{ERROR}](#{ERROR.lower()})"

Schema = Mapping[str, Any]


def http_api_page() -> str:
    """The whole page, in Markdown."""
    document = describe("0")
    calls = [
        line
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        for line in _call(f"{method.upper()} {path}", operation)
    ]
    shapes = [line for name, schema in sorted(document["components"]["schemas"].items()) for line in _shape(name, schema)]
    head = ["# HTTP API", "", document["info"]["description"], "", "Served as a document for machines at `/openapi.json`.", ""]
    return "\n".join([*head, *_every(document), *calls, "# Shapes", "", *shapes]).rstrip() + "\n"


def _every(document: Schema) -> Iterator[str]:
    responses = document["paths"]["/v1/sessions"]["get"]["responses"]
    yield "Every call may be refused with:"
    yield ""
    yield from (f"* {status}: {responses[status]['description']}" for status in _COMMON)
    yield ""


def _call(title: str, operation: Schema) -> Iterator[str]:
    yield from (f"## `{title}`", "", operation["description"], "")
    if parameters := operation.get("parameters"):
        yield from ("| Parameter | In | Takes | Meaning |", "|---|---|---|---|")
        yield from (_parameter(parameter) for parameter in parameters)
        yield ""
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        yield from (f"Body: `{media_type}`, {_kind(content['schema'])}.", "")
    for status, response in operation["responses"].items():
        if _answer(response) != _REFUSAL:
            yield f"* {status}: {_answer(response) or response['description']}"
        elif status not in _COMMON:
            yield f"* {status}: {response['description']}"
    yield ""


def _parameter(parameter: Schema) -> str:
    schema = parameter["schema"]
    default = f", default `{schema['default']}`" if "default" in schema else ""
    meaning = parameter.get("description", "")
    return f"| `{parameter['name']}` | {parameter['in']} | {_kind(schema)}{default} | {meaning} |"


def _answer(response: Schema) -> str:
    kinds = [f"`{media_type}`, {_kind(content['schema'])}" for media_type, content in response.get("content", {}).items()]
    return "; ".join(kinds)


def _shape(name: str, schema: Schema) -> Iterator[str]:
    yield from (f"## {name}", "", schema.get("description", ""), "")
    if "enum" in schema:
        yield from (_kind(schema), "")
    if properties := schema.get("properties"):
        required = set(schema.get("required", ()))
        yield from ("| Field | Takes | Needed | Meaning |", "|---|---|---|---|")
        for key, field in properties.items():
            yield f"| `{key}` | {_kind(field)} | {'yes' if key in required else ''} | {field.get('description', '')} |"
        yield ""


def _kind(schema: Schema) -> str:
    """What a schema takes, in words; shapes are named."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        return ", ".join(f"`{str(value).lower() if isinstance(value, bool) else value}`" for value in _values(schema))
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}"
    if schema.get("properties"):
        return ", ".join(f"`{key}` ({_kind(field)})" for key, field in schema["properties"].items())
    return f"{schema.get('type', 'anything')}{_bounds(schema)}"


def _values(schema: Schema) -> list[Any]:
    return list(schema["enum"]) if "enum" in schema else [schema["const"]]


def _bounds(schema: Schema) -> str:
    if "maxLength" in schema:
        return f" of at most {schema['maxLength']:,} characters"
    if "maximum" in schema:
        return f" from {schema.get('minimum', 0)} to {schema['maximum']}"
    return ""
