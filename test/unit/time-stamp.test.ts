import { expect, it } from '@jest/globals';
import { compareKeys, sortKey } from '#lib/cms/query/sort.ts';
import { parseWith } from '#lib/domain/input.ts';
import { TimeStamp } from '#lib/domain/text/time-stamp.ts';

it.each([
  ['2026-01-31T09:00:00.000Z', '2026-01-31T09:00:00.000Z'],
  ['2026-11-22T07:00:00Z', '2026-11-22T07:00:00.000Z'],
  ['2026-11-22t07:00:00.123999z', '2026-11-22T07:00:00.123Z'],
  ['2026-11-22T07:00:00.5+03:00', '2026-11-22T04:00:00.500Z'],
  ['2026-11-22T07:00:00-00:00', '2026-11-22T07:00:00.000Z'],
  ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
])('the time %s is stored as %s', (given, stored) => {
  expect(parseWith(TimeStamp, given).value).toBe(stored);
});

it('a leap second of a field sorts as the second before, which filters find by either', () => {
  const at = (text: string) => sortKey('moment', text);
  expect(compareKeys(at('2016-12-31T23:59:60.5Z'), at('2016-12-31T23:59:59.5Z'))).toBe(0);
  expect(compareKeys(at('2016-12-31T23:59:60Z'), at('2017-01-01T00:00:00Z'))).toBeLessThan(0);
});

it('a fraction of a second with the digits of the year sorts like any other', () => {
  const at = (text: string) => sortKey('moment', text);
  expect(compareKeys(at('2026-01-31T09:00:00.2026Z'), at('2026-01-31T08:00:00.2029Z'))).toBeGreaterThan(0);
  expect(compareKeys(at('2026-01-31T09:00:00.2026Z'), at('2026-01-31T10:00:00.2025Z'))).toBeLessThan(0);
});

it.each([
  '2026-11-22T07:00Z',
  '2026-11-22T07:00:00',
  '2026-02-30T07:00:00Z',
  '2026-11-22 07:00:00Z',
  '2026-11-22',
  '9999-12-31T23:59:59-05:00',
  '0000-01-01T00:00:00+05:00',
  '',
])('%j is no time', (given) => {
  expect(parseWith(TimeStamp, given).issues).toMatchObject([{ code: 'format' }]);
});
