"""Rules for schemathesis that JSON Schema cannot express."""

import schemathesis

REFUSED_NAMES = {"__proto__", "constructor", "prototype"}


@schemathesis.hook
def filter_query(context, query):
    """Drops queries that only look wrong: an empty value counts as absent, and blank and repeated items do not count."""
    for parameter in context.operation.query:
        if parameter.name not in (query or {}):
            continue
        schema = parameter.definition.get("schema", {})
        items = sent_items(query[parameter.name])
        counted = {item for item in items if item}
        if not counted and (schema.get("type") != "string" or "enum" in schema):
            return False
        if len(items) > schema.get("maxItems", len(items)) >= len(counted):
            return False
    return True


def sent_items(value):
    """The items of a list or the members of an object as sent: null and empty ones as an empty string."""
    value = list(value.values()) if isinstance(value, dict) else value
    items = value if isinstance(value, list) else str("" if value is None else value).split(",")
    return ["" if item in (None, [], {}) else str(item).strip() for item in items]


@schemathesis.hook
def filter_body(context, body):
    """Drops bodies that look valid to their schema and are not."""
    if context.operation.path == "/api/v1/connect/attachments":
        # A part's name is in a header. A control character in it makes a multipart body malformed.
        return not isinstance(body, dict) or all(str(name).isprintable() for name in body)
    # Some names, NUL and lone surrogates are refused at any depth of any body.
    return not has_refused_text(body)


def has_refused_text(value):
    if isinstance(value, str):
        return any(character == "\0" or 0xD800 <= ord(character) <= 0xDFFF for character in value)
    if isinstance(value, dict):
        names_and_members = [*value, *value.values()]
        return not REFUSED_NAMES.isdisjoint(value) or any(map(has_refused_text, names_and_members))
    return isinstance(value, list) and any(map(has_refused_text, value))
