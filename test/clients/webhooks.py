"""Verifies a request of a webhook with the library of Standard Webhooks, and prints one that the library has signed."""

import datetime
import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError


def main():
    asked = json.loads(sys.argv[1])
    body, headers = asked["body"], asked["headers"]
    *others, secret = [Webhook(text) for text in asked["secrets"]]
    events = [webhook.verify(body, headers) for webhook in (*others, secret)]
    try:
        secret.verify(body + " ", headers)
        sys.exit("A changed body is verified.")
    except WebhookVerificationError:
        pass
    now = datetime.datetime.now(datetime.timezone.utc)
    signed = {
        "webhook-id": "evt_python",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": secret.sign("evt_python", now, body),
    }
    print(json.dumps({"events": events, "headers": signed}))


main()
