"""Calls every operation through the client that openapi-python-client has generated, and prints what came of it."""

import base64
import importlib
import inspect
import io
import json
import sys

from openapi_python_client.strings import PythonIdentifier, snake_case


def named(name):
    return PythonIdentifier(name, "field_")


def value_of(parameter, value):
    """A choice is an enumeration in the generated code."""
    for kind in getattr(parameter.annotation, "__args__", (parameter.annotation,)):
        if inspect.isclass(kind) and hasattr(kind, "__members__"):
            return kind(value)
    return value


def body_of(package, parameter, call):
    kinds = getattr(parameter.annotation, "__args__", (parameter.annotation,))
    if call.get("file") is not None:
        types = importlib.import_module(f"{package}.types")
        part = types.File(io.BytesIO(base64.b64decode(call["file"])), file_name="dot.png", mime_type="image/png")
        form = next(kind for kind in kinds if "files" in inspect.signature(kind).parameters)
        takes_list = "list" in str(inspect.signature(form).parameters["files"].annotation).lower()
        return form(files=[part] if takes_list else part)
    model = next((kind for kind in kinds if hasattr(kind, "from_dict")), None)
    return model.from_dict(call["body"]) if model else call["body"]


def run(package, client, call, key):
    tag = snake_case(call["tag"])
    module = importlib.import_module(f"{package}.api.{tag}.{PythonIdentifier(call['operation'], '')}")
    parameters = inspect.signature(module.sync_detailed).parameters
    given = {}
    for name, value in call["parameters"].items():
        argument = named(name)
        if argument not in parameters:
            raise TypeError(f"{call['operation']} has no parameter {argument}.")
        given[argument] = value_of(parameters[argument], value)
    if "api_key" in parameters:
        given["api_key"] = key
    if "body" in parameters and (call.get("body") is not None or call.get("file") is not None):
        given["body"] = body_of(package, parameters["body"], call)
    return module.sync_detailed(client=client, **given)


def main():
    package, url, plan, *keys = sys.argv[1:]
    module = importlib.import_module(f"{package}.client")
    plain, of_member = [
        module.AuthenticatedClient(base_url=url, token=key, raise_on_unexpected_status=True, follow_redirects=False)
        for key in keys
    ]
    failed = 0
    with open(plan, encoding="utf-8") as file:
        calls = json.load(file)
    for call in calls:
        try:
            key = keys[1 if call["needsMember"] else 0]
            client = of_member if call["needsMember"] else plain
            answer = run(package, client, call, key)
            status = int(answer.status_code)
            is_right = status in call["expected"]
            wrong = f", not one of {call['expected']}: {answer.content.decode(errors='replace')[:300]}"
            print(f"{call['operation']}: {status}" + ("" if is_right else wrong))
        except Exception as error:  # Whatever it is, the client cannot be used as it was generated.
            is_right = False
            print(f"{call['operation']}: {type(error).__name__}: {error}")
        failed += not is_right
    print(f"{len(calls)} calls, {failed} failed")
    sys.exit(1 if failed or not calls else 0)


main()
