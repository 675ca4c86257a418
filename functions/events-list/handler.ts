import { positionAt } from '#lib/domain/events/position.ts';
import { changedSeenBy, eventsKeptMilliseconds, type WorkspaceEvent } from '#lib/domain/events/workspace-event.ts';
import { rendered } from '#lib/http/answer.ts';
import { readApi } from '#lib/http/read-api.ts';
import { isSelected, typeOf, visibleTo } from '#lib/kinds/visible-events.ts';
import { type FedEvent, Feed } from '#lib/table/events/feed.ts';
import { endpoint } from './endpoint.ts';

/** A page reads so many steps of the feed at most, if its caller sees few of the events. */
const stepsMax = 5;

export const handler = readApi(endpoint, {
  handle: async ({ table, principal, query: { after, types, limit } }) => {
    const feed = new Feed(table, principal);
    const isVisible = visibleTo(principal);
    const changedIn = changedSeenBy(principal);
    const begin = positionAt(Date.now() - eventsKeptMilliseconds);
    let next = after === undefined || after < begin ? begin : after;
    const data: WorkspaceEvent[] = [];
    let isEnd = false;
    for (let step = 0; step < stepsMax && data.length < limit && !isEnd; step++) {
      const found = await feed.read(next);
      for (const [index, event] of found.events.entries()) {
        const type = typeOf(event);
        if (type && isVisible(event) && (!types || isSelected(type, types))) {
          data.push({ ...viewOf(event, type), changed: changedIn(event) });
        }
        next = event.position;
        isEnd = found.isEnd && index === found.events.length - 1;
        if (data.length === limit) break;
      }
      if (found.events.length === 0) ({ next, isEnd } = found);
    }
    return { json: rendered(JSON.stringify({ data, next, hasMore: !isEnd })) };
  },
  // It may give events their places in the feed.
  writes: true,
});

const viewOf = (event: FedEvent, type: string): Omit<WorkspaceEvent, 'changed'> => ({
  id: event.id,
  type,
  at: event.at,
  kind: event.recordKind,
  recordId: event.recordId,
  actor: event.actor,
  requestId: event.requestId,
});
