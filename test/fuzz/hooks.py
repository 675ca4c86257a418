"""Rules for schemathesis that JSON Schema cannot express."""

import schemathesis

REFUSED_NAMES = {"__proto__", "constructor", "prototype"}


@schemathesis.hook
def filter_body(context, body):
    """Drops bodies that look valid to their schema and are not."""
    if context.operation.path == "/api/v1/connect/attachments":
        # A part's name is in a header. A control character in it makes a multipart body malformed.
        return not isinstance(body, dict) or all(str(name).isprintable() for name in body)
    if context.operation.path == "/api/public/forms/{slug}":
        # Metadata is any JSON, but no body may contain these names at any depth.
        return not has_refused_name(body)
    return True


def has_refused_name(value):
    if isinstance(value, dict):
        return not REFUSED_NAMES.isdisjoint(value) or any(map(has_refused_name, value.values()))
    return isinstance(value, list) and any(map(has_refused_name, value))
