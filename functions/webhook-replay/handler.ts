import { positionAt } from '#lib/domain/events/position.ts';
import { eventsKeptMilliseconds } from '#lib/domain/events/workspace-event.ts';
import { utcTime } from '#lib/domain/text/utc-time.ts';
import { api } from '#lib/http/api.ts';
import { isSelected, typeOf } from '#lib/kinds/visible-events.ts';
import { findCallerOfKey } from '#lib/table/access/api-keys.ts';
import { Feed } from '#lib/table/events/feed.ts';
import { beginReplay } from '#lib/table/webhooks/followers.ts';
import { selectionOf } from '#lib/webhooks/follow.ts';
import { requireEnabled, requireSendable, requireWebhook } from '#lib/webhooks/require-webhook.ts';
import { endpoint } from './endpoint.ts';

/** An event that came late has a place up to this long behind its time. */
const lateMilliseconds = 2 * 60_000;
/** A busy workspace has a hundred thousand events in 30 days. They are read to be counted. */
export const countMilliseconds = 18_000;
const milliseconds = (time: string): number => Date.parse(utcTime(time) ?? '');

export const handler = api(endpoint, {
  handle: async ({ table, tableFor, principal, params: { id }, body }) => {
    const webhook = await requireWebhook(table, principal, id);
    await requireSendable(table, principal, webhook);
    requireEnabled(webhook);
    const now = Date.now();
    const since = Math.max(milliseconds(body.since), now - eventsKeptMilliseconds);
    // What happens from now on is sent anyway.
    const until = Math.min(body.until === undefined ? now : milliseconds(body.until), now);
    const caller = await findCallerOfKey(table, { ...principal, keyId: webhook.apiKeyId });
    const isTaken = selectionOf(webhook, caller?.principal);
    const only = body.types && new Set(body.types);
    const longer = tableFor(countMilliseconds);
    const feed = new Feed(longer, principal);
    let events = 0;
    for (let position = positionAt(since), isEnd = since >= until; !isEnd; ) {
      const found = await feed.read(position);
      for (const event of found.events) {
        const type = typeOf(event);
        const at = Date.parse(event.at);
        if (type && at < until && (!only || isSelected(type, only)) && isTaken(event, type)) events++;
      }
      const last = Date.parse(found.events.at(-1)?.at ?? '');
      isEnd = found.isEnd || last >= until + lateMilliseconds;
      position = found.next;
    }
    const { madeAt } = webhook;
    if (events > 0)
      await beginReplay(longer, principal, {
        webhook: { id, madeAt },
        since,
        until,
        ...(body.types && { types: body.types }),
      });
    return { body: { events } };
  },
});
