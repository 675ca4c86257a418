"""What a point of sale tells the menu, with nothing but Python's standard library.

    point_of_sale.py soldout SLUG...      marks dishes as sold out until tomorrow morning
    point_of_sale.py prices FILE.csv      brings prices up to date; the file has the columns slug and price

Both can be repeated safely. The key needs `menu:product:manage`; for `soldout` alone `menu:product:availability` is enough.
"""

import csv
import datetime
import decimal
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

API_URL = os.environ.get("API_URL", "http://127.0.0.1:3000")
API_KEY = os.environ["API_KEY"]
PRODUCTS = "/api/v1/manage/menu-products"


class Refused(Exception):
    """An answer that the call cannot go on with."""

    def __init__(self, status, problem):
        places = "; ".join(f"{place['path']}: {place['message']}" for place in problem.get("errors", []))
        super().__init__(f"{status} {problem.get('code', '')}: {problem.get('message', '')} {places}".rstrip())
        self.status = status


def call(method, path, body=None, headers=None, tries=4):
    """Calls the service; a call that is refused for the moment is repeated when the service says so."""
    sent = {"Authorization": f"Bearer {API_KEY}", **(headers or {})}
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        sent["Content-Type"] = "application/merge-patch+json"
    request = urllib.request.Request(f"{API_URL}{path}", data=data, headers=sent, method=method)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response), response.headers
    except urllib.error.HTTPError as error:
        if error.code in (429, 503) and tries > 1:
            time.sleep(float(error.headers.get("Retry-After", "1")))
            return call(method, path, body, headers, tries - 1)
        raise Refused(error.code, json.load(error)) from None


def product_of(slug):
    """The product with this slug; the search also finds others."""
    cursor = None
    while True:
        query = {"q": slug, "limit": 100, **({"cursor": cursor} if cursor else {})}
        page, _ = call("GET", f"{PRODUCTS}?{urllib.parse.urlencode(query)}")
        for product in page["data"]:
            if product["slug"] == slug:
                return product
        cursor = page["next"]
        if cursor is None:
            sys.exit(f"There is no product with the slug {slug}.")


def address_of(product):
    return f"{PRODUCTS}/{urllib.parse.quote(product['id'], safe='')}"


def mark_sold_out(slugs):
    tomorrow = datetime.date.today() + datetime.timedelta(days=1)
    until = datetime.datetime.combine(tomorrow, datetime.time(6)).astimezone(datetime.timezone.utc)
    for slug in slugs:
        product = product_of(slug)
        # The state itself is sent, so that a repetition changes nothing.
        call("PATCH", address_of(product), {"soldout": True, "soldoutUntil": until.strftime("%Y-%m-%dT%H:%M:%S.000Z")})
        print(f"{slug}: sold out until {until:%Y-%m-%d %H:%M} UTC")


def set_price(slug, price):
    """Changes the first price of a product, unless it changes meanwhile; then it is read again."""
    address = address_of(product_of(slug))
    for _ in range(5):
        product, headers = call("GET", address)
        options = product["priceOptions"]
        if not options or options[0]["price"] == price:
            return "unchanged" if options else "has no price"
        options[0]["price"] = price
        try:
            call("PATCH", address, {"priceOptions": options}, {"If-Match": headers["ETag"]})
            return f"now {price}"
        except Refused as error:
            if error.status != 412:
                raise
    return "keeps changing; try again later"


def set_prices(file):
    with open(file, newline="", encoding="utf-8-sig") as rows:
        for row in csv.DictReader(rows):
            print(f"{row['slug']}: {set_price(row['slug'], float(decimal.Decimal(row['price'])))}")


def main():
    command, *rest = sys.argv[1:] or ["help"]
    try:
        if command == "soldout" and rest:
            mark_sold_out(rest)
        elif command == "prices" and len(rest) == 1:
            set_prices(rest[0])
        else:
            sys.exit(__doc__)
    except Refused as error:
        sys.exit(str(error))


main()
