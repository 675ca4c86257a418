"""Asks the service through the client that openapi-python-client has generated, and prints what comes back."""

import importlib
import io
import json
import sys


def main():
    package, url, key, question = sys.argv[1:]
    asked = json.loads(question)

    def part(name):
        return importlib.import_module(f"{package}.{name}")

    models, types = part("models"), part("types")
    client = part("client").AuthenticatedClient(base_url=url, token=key, raise_on_unexpected_status=True)
    # This generator sends the keys of an object as they are, so they are the whole names.
    conditions = {f"filter[{name}]": value for name, value in asked["entries"].pop("filter").items()}
    listed = part("api.cms.cms_entries_list").sync(
        asked["modelId"],
        client=client,
        filter_=models.CmsEntriesListFilter.from_dict(conditions),
        **asked["entries"],
    )
    categories = asked["categories"]
    found = part("api.menu.menu_categories_list").sync(
        client=client,
        api_key=key,
        ids=categories["ids"],
        sort_by=models.MenuCategoriesListSortBy(categories["sortBy"]),
        sort_order=models.MenuCategoriesListSortOrder(categories["sortOrder"]),
    )
    files = [
        types.File(io.BytesIO(file["text"].encode()), file_name=file["name"], mime_type="text/plain")
        for file in asked["files"]
    ]
    uploaded = part("api.messaging.attachments_upload").sync(
        client=client, body=models.AttachmentsUploadBody(files=files)
    )
    answer = {
        "entries": [entry.to_dict() for entry in listed],
        "categories": found.to_dict()["data"],
        "files": uploaded.to_dict()["files"],
    }
    print(json.dumps({"openapi-python-client": answer}))


main()
