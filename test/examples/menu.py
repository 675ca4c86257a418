"""Walks through the menu and answers a form, with nothing but Python's standard library."""

import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

API_URL = os.environ.get("API_URL", "http://127.0.0.1:3000")
API_KEY = os.environ["API_KEY"]


def call(path, query=None, body=None, headers=None, tries=3):
    """Calls the service; what is refused for the moment is tried again when the service says so."""
    address = f"{API_URL}{path}?{urllib.parse.urlencode({**(query or {}), 'apiKey': API_KEY})}"
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data=data, headers={"Content-Type": "application/json", **(headers or {})})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        if error.code in (429, 503) and tries > 1:
            time.sleep(float(error.headers.get("Retry-After", "1")))
            return call(path, query, body, headers, tries - 1)
        problem = json.load(error)
        places = "; ".join(place["message"] for place in problem.get("errors", []))
        sys.exit(f"{error.code} {problem.get('code', '')}: {problem['message']} {places}".rstrip())


def all_products(**query):
    """Every product, page by page."""
    page = 1
    while True:
        answer = call("/api/public/menu/products", {**query, "page": page, "limit": 10, "includeCmsData": "false"})
        yield from answer["data"]
        if not answer["pagination"]["hasMore"]:
            return
        page += 1


for product in all_products(sortBy="name", sortOrder="asc"):
    prices = ", ".join(str(option["price"]) for option in product["priceOptions"])
    print(f"{product['name'].get('en', product['slug'])}: {prices}")

answers = {
    "name": "Huda",
    "email": "huda@example.com",
    "subject": "visit",
    "message": "A table for two tonight?",
    "consent": True,
}
# The same key for every try, so that the response is stored once.
print(call("/api/public/forms/contact", body=answers, headers={"Idempotency-Key": str(uuid.uuid4())})["message"])
