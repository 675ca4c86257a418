"""Keeps a copy of a workspace in a file, with nothing but Python's standard library.

    mirror.py FILE           follows the service until it is stopped
    mirror.py FILE --once    brings the copy up to date, e.g. from cron

The first start copies all records. Later ones go on where the last one has stopped, even if it was killed.
An event only says which record has changed. The record is always read, so events may come twice or in any order.
The key needs `events:event:read` and the read permissions of KINDS.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

API_URL = os.environ.get("API_URL", "http://127.0.0.1:3000")
API_KEY = os.environ["API_KEY"]
# The kinds in addresses, and in types of events.
KINDS = {
    "cms-models": "cms_model",
    "cms-entries": "cms_entry",
    "menu-categories": "menu_category",
    "menu-products": "menu_product",
    "forms": "form",
}
TYPES = ",".join([*(f"{name}.*" for name in KINDS.values()), "workspace.imported"])
# The service keeps events for 30 days.
LONGEST_PAUSE = 29 * 24 * 60 * 60
POLL_SECONDS = 2


def get(path, query=None):
    """Reads from the service, and waits while it cannot answer. None if there is no such record."""
    address = f"{API_URL}{path}?{urllib.parse.urlencode(query or {})}"
    request = urllib.request.Request(address, headers={"Authorization": f"Bearer {API_KEY}"})
    while True:
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            if error.code not in (429, 503):
                sys.exit(f"{error.code}: {error.read().decode()}")
            pause = float(error.headers.get("Retry-After", "1"))
        except OSError as error:
            print(f"{API_URL} does not answer: {error}", file=sys.stderr)
            pause = 5
        time.sleep(pause)


def id_of(kind, record):
    """The id in addresses and events; an entry is named with its database."""
    return f"{record['modelId']}/{record['id']}" if kind == "cms-entries" else record["id"]


def listed(kind, query):
    cursor = None
    while True:
        page = get(f"/api/v1/manage/{kind}", {"limit": 100, **query, **({"cursor": cursor} if cursor else {})})
        if page is None:
            return
        for record in page["data"]:
            yield id_of(kind, record), record
        cursor = page["next"]
        if cursor is None:
            return


def all_records():
    records = {kind: dict(listed(kind, {})) for kind in KINDS if kind != "cms-entries"}
    entries = {}
    for model_id in records["cms-models"]:
        entries.update(listed("cms-entries", {"modelId": model_id}))
    return {**records, "cms-entries": entries}


def whole_copy():
    """Takes its place in the feed first, a minute back. So what changes while the records are read is read again."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 60))
    return {"after": now, "records": all_records()}


def apply(events, records):
    """Reads each record once that a page of events names."""
    # An import is one event for all its records, and a database decides what all its entries show.
    if any(event["type"] == "workspace.imported" or event["kind"] == "cms-models" for event in events):
        records.update(all_records())
        return
    for kind, record_id in {(event["kind"], event["recordId"]) for event in events if event["kind"] in KINDS}:
        record = get(f"/api/v1/manage/{kind}/{urllib.parse.quote(record_id)}")
        if record is None:
            records[kind].pop(record_id, None)
        else:
            records[kind][record_id] = record


def load(file):
    try:
        with open(file, encoding="utf-8") as saved:
            copy = json.load(saved)
    except FileNotFoundError:
        return None
    return copy if time.time() - copy["savedAt"] < LONGEST_PAUSE else None


def save(file, copy):
    """Copy and place in the feed change together, or not at all."""
    copy["savedAt"] = time.time()
    with open(f"{file}.new", "w", encoding="utf-8") as saved:
        json.dump(copy, saved, ensure_ascii=False)
        saved.flush()
        os.fsync(saved.fileno())
    os.replace(f"{file}.new", file)


def main():
    file, *options = sys.argv[1:]
    copy = load(file) or whole_copy()
    while True:
        page = get("/api/v1/events", {"after": copy["after"], "types": TYPES, "limit": 100})
        apply(page["data"], copy["records"])
        copy["after"] = page["next"]
        save(file, copy)
        if page["hasMore"]:
            continue
        if "--once" in options:
            print(", ".join(f"{len(records)} {kind}" for kind, records in copy["records"].items()))
            return
        time.sleep(POLL_SECONDS)


main()
