import { describe, expect, it } from '@jest/globals';
import { byDay, lookedThroughMax, plannedOf, scheduledIn } from '#lib/console/app/areas/overview/calendar/planned.ts';
import { localTime, storedTime } from '#lib/console/app/editing/moments.ts';

describe('a time in the time zone of a workspace', () => {
  it.each([
    ['2026-11-27T09:30', 'UTC', '2026-11-27T09:30:00+00:00'],
    ['2026-11-27T09:30', 'Asia/Riyadh', '2026-11-27T09:30:00+03:00'],
    ['2026-07-01T00:00', 'America/St_Johns', '2026-07-01T00:00:00-02:30'],
    ['2026-01-01T23:59:59', 'Asia/Kathmandu', '2026-01-01T23:59:59+05:45'],
    // Beyond the date line, where the year is another one.
    ['2027-01-01T00:30', 'Pacific/Kiritimati', '2027-01-01T00:30:00+14:00'],
  ])('%s in %s is stored as %s, and shown as it was typed', (local, zone, stored) => {
    expect(storedTime(local, zone)).toBe(stored);
    expect(localTime(stored, zone)).toBe(local);
    // However the service writes the instant.
    expect(localTime(new Date(stored).toISOString(), zone)).toBe(local);
  });

  it('a leap second is shown as the second before', () => {
    expect(localTime('2016-12-31T23:59:60Z', 'UTC')).toBe('2016-12-31T23:59:59');
  });

  it.each([
    // In Berlin clocks are put forward at two, and in Lord Howe by half an hour.
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T03:30:00+02:00'],
    ['2026-10-04T02:15', 'Australia/Lord_Howe', '2026-10-04T02:45:00+11:00'],
    // In Beirut and Cairo midnight itself is left out.
    ['2026-03-29T00:00', 'Asia/Beirut', '2026-03-29T01:00:00+03:00'],
    ['2026-04-24T00:00', 'Africa/Cairo', '2026-04-24T01:00:00+03:00'],
  ])('%s, which clocks in %s leave out, is as much later as they are put forward', (local, zone, stored) => {
    expect(storedTime(local, zone)).toBe(stored);
  });

  it.each([
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00'],
    ['2026-11-01T01:00', 'America/New_York', '2026-11-01T01:00:00-04:00', '2026-11-01T01:00:00-05:00'],
  ])('%s, which clocks in %s show twice, is the first one', (local, zone, first, second) => {
    expect(storedTime(local, zone)).toBe(first);
    expect([localTime(first, zone), localTime(second, zone)]).toEqual([local, local]);
  });

  it.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['America/Santiago', '2026-09-06', 23],
    ['Asia/Riyadh', '2026-03-29', 24],
  ])('in %s the day %s has %d hours', (zone, date, hours) => {
    const next = new Date(Date.parse(`${date}T00:00Z`) + 24 * 60 * 60_000).toISOString().slice(0, 10);
    const [begin, end] = [date, next].map((start) => Date.parse(storedTime(`${start}T00:00`, zone) ?? ''));
    expect(((end ?? 0) - (begin ?? 0)) / 3_600_000).toBe(hours);
  });

  it('every third hour of a year is shown as a time that is read as the same instant, or as its twin', () => {
    for (const zone of ['Europe/Berlin', 'America/St_Johns', 'Africa/Casablanca', 'Pacific/Apia']) {
      for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 3 * 3_600_000) {
        const read = Date.parse(storedTime(localTime(new Date(at).toISOString(), zone), zone) ?? '');
        if (read !== at) expect([zone, at - read]).toEqual([zone, 3_600_000]);
      }
    }
  });

  it('neither an empty input nor a text is a time', () => {
    expect([
      storedTime('', 'UTC'),
      storedTime('soon', 'UTC'),
      localTime(null, 'UTC'),
      localTime('soon', 'UTC'),
    ]).toEqual([null, null, '', '']);
  });
});

describe('the calendar', () => {
  const record = (id: string, publishAt: string | null, unpublishAt: string | null) => ({
    record: { id, publishAt, unpublishAt },
  });

  it('has a row for each time, in the order of the instants, whatever their offsets', () => {
    const planned = plannedOf([
      record('soup', '2026-12-01T10:00:00+03:00', '2026-12-05T00:00:00Z'),
      record('tea', null, null),
      record('bread', null, '2026-12-01T06:30:00-00:30'),
    ]);
    expect(planned.map(({ member, of }) => [member, of.record.id])).toEqual([
      ['publishAt', 'soup'],
      ['unpublishAt', 'bread'],
      ['unpublishAt', 'soup'],
    ]);
  });

  it('has the days of the time zone of the workspace, also the longer ones', () => {
    const planned = plannedOf([
      record('a', '2026-10-24T21:59:00Z', null),
      record('b', '2026-10-24T22:00:00Z', null),
      record('c', '2026-10-25T22:59:00Z', null),
      record('d', '2026-10-25T23:00:00Z', null),
    ]);
    const days = [...byDay(planned, 'Europe/Berlin')].map(([day, rows]) => [day, rows.map(({ of }) => of.record.id)]);
    expect(days).toEqual([
      ['2026-10-24', ['a']],
      ['2026-10-25', ['b', 'c']],
      ['2026-10-26', ['d']],
    ]);
  });

  it('reads a list page by page, and says when it has more than is looked through', async () => {
    const pageOf = (cursor: string | undefined, next: string | null) => ({
      data: Array.from({ length: 100 }, (_, index) => ({
        id: `${cursor}-${index}`,
        publishAt: index === 0 ? '2026-12-01T00:00:00Z' : null,
      })),
      next,
    });
    const short = await scheduledIn(async ({ cursor }) => pageOf(cursor, cursor === undefined ? 'more' : null));
    expect([short.records.map(({ id }) => id), short.isAll]).toEqual([['undefined-0', 'more-0'], true]);
    const long = await scheduledIn(async ({ cursor }) => pageOf(cursor, 'more'));
    expect([long.records.length, long.isAll]).toEqual([lookedThroughMax / 100, false]);
  });
});
