import { describe, expect, it } from '@jest/globals';
import { announcedBytesMax, countSentBytes } from '#lib/table/access/hourly-limits.ts';
import { call } from '#test/support/call.ts';
import { freezeDate } from '#test/support/frozen-date.ts';
import { announce as announceImage } from '#test/support/media.ts';
import { leftovers } from '#test/support/stored-files.ts';
import { openWorkspace } from '#test/support/workspace.ts';
import { testTable } from '#test/support/world.ts';

const { keys, workspaceId } = await openWorkspace('files');
// The room is that of an hour, which may end at any moment.
const { itIs } = freezeDate();
const megabyte = 1_048_576;
const largest = 25 * megabyte;
const filesOf = (size: number, count = 1) =>
  Array.from({ length: count }, () => ({ name: 'a.pdf', type: 'x/y', size }));
const announce = (size: number, count = 1, headers = {}, key = keys.uploader) =>
  call('POST /api/v1/connect/attachments/announce', { key, headers, body: { files: filesOf(size, count) } });

describe('a caller', () => {
  it('announces at most 5 GB an hour; a larger request is refused (429), and nothing of it is announced', async () => {
    const repeated = { 'idempotency-key': 'announced-again' };
    expect((await announce(largest, 5, repeated)).status).toBe(200);
    for (let count = 1; count < 40; count++) expect((await announce(largest, 5)).status).toBe(200);

    const { announced } = await leftovers(workspaceId);
    const refused = await announce(largest, 5);
    expect([refused.status, refused.json]).toEqual([
      429,
      {
        message: 'This API key has announced too many files this hour; try again after Retry-After seconds.',
        code: 'rate_limited',
      },
    ]);
    const seconds = Number(refused.headers['retry-after']);
    expect([seconds >= 1, seconds <= 3_600]).toEqual([true, true]);
    expect((await leftovers(workspaceId)).announced).toEqual(announced);

    // 120 MB are left. A repetition counts nothing, and each file counts at least 1 MB.
    expect((await announce(largest, 5, repeated)).status).toBe(200);
    expect((await announce(largest, 4)).status).toBe(200);
    for (let count = 0; count < 4; count++) expect((await announce(0, 5)).status).toBe(200);
    expect((await announce(0)).status).toBe(429);
    expect((await announce(0, 1, { 'idempotency-key': 'a-new-one' })).status).toBe(429);
    expect((await announce(largest, 5, repeated)).status).toBe(200);
  });

  it('has separate counts for each caller and each hour', async () => {
    const sizes = [announcedBytesMax];
    const now = Date.parse('2026-11-20T09:59:50.000Z');
    const caller = { workspaceId, callerId: 'key_one' };
    const count = (callerId: string, time = now) =>
      countSentBytes(testTable(), { ...caller, callerId }, sizes, false, time);
    expect(await count('key_one')).toBeUndefined();
    expect(await count('key_one')).toBe(10);
    expect(await count('key_two')).toBeUndefined();
    expect(await count('key_one', now + 10_000)).toBeUndefined();
  });

  it('counts public images together with attachments', async () => {
    const media = await openWorkspace('media');
    const file = { name: 'a.png', type: 'image/png', size: 10 * megabyte };
    const caller = { workspaceId: media.workspaceId, callerId: 'key_manager' };
    expect(await countSentBytes(testTable(), caller, [announcedBytesMax - 10 * megabyte], false)).toBeUndefined();
    const again = { 'idempotency-key': 'image-again' };
    expect((await announceImage(media.keys.manager, file, again)).status).toBe(201);
    expect((await announceImage(media.keys.manager, file)).status).toBe(429);
    expect((await announceImage(media.keys.manager, file, again)).status).toBe(201);
  });

  it('is refused a new upload URL for an expired one while it is over the limit, and gets it afterwards', async () => {
    const media = await openWorkspace('media');
    const other = await openWorkspace('files');
    const again = { 'idempotency-key': 'too-late' };
    const [file, minute] = [{ name: 'a.png', type: 'image/png', size: 5 }, 60_000];
    const senders = [
      () => announceImage(media.keys.manager, file, again),
      () => announce(5, 1, again, other.keys.uploader),
    ];
    const first = await Promise.all(senders.map((send) => send()));
    itIs(70 * minute);
    const callers = [
      { workspaceId: media.workspaceId, callerId: 'key_manager' },
      { workspaceId: other.workspaceId, callerId: 'key_uploader' },
    ];
    for (const caller of callers) await countSentBytes(testTable(), caller, [announcedBytesMax], false);
    for (const send of senders) expect((await send()).status).toBe(429);
    itIs(140 * minute);
    const later = await Promise.all(senders.map((send) => send()));
    expect(later.map(({ status }) => status)).toEqual(first.map(({ status }) => status));
    expect(later.map(({ text }) => text)).not.toEqual(first.map(({ text }) => text));
  });
});
