import { describe, expect, it } from '@jest/globals';
import { actions, eventQuery, screenOf } from '#lib/console/app/areas/activity/event-query.ts';
import { kindTexts } from '#lib/console/app/areas/activity/texts.ts';
import { dayOf, daysAhead, endOfDay, startOfDay, startOfNextDay } from '#lib/console/app/data/days.ts';
import { AuditAction } from '#lib/domain/access/audit-event.ts';
import { managed, managedKinds } from '#lib/kinds/kinds.ts';

describe('the filters of the activity', () => {
  it('include every kind of the events', () => {
    const written = managedKinds.map((kind) => managed(kind).path);
    expect(Object.keys(kindTexts.en).sort()).toEqual([...written, 'media', 'conversations'].sort());
    expect(Object.keys(kindTexts.ar)).toEqual(Object.keys(kindTexts.en));
  });

  it('include every action of the events', () => {
    expect([...actions].sort()).toEqual([...AuditAction.options].sort());
  });

  it('omit empty parameters', () => {
    const query = eventQuery(new URLSearchParams('recordKind=&recordId=%20&other=1'));
    expect(Object.values(query).filter((value) => value !== undefined)).toEqual([]);
  });

  it('count both days as a whole', () => {
    const { since, until } = eventQuery(new URLSearchParams('since=2026-05-01&until=2026-05-01'));
    expect(Date.parse(String(until)) - Date.parse(String(since))).toBe(24 * 60 * 60 * 1_000);
    expect(dayOf(since)).toBe('2026-05-01');
  });

  it('leave out a day that is none', () => {
    expect(eventQuery(new URLSearchParams('since=soon&until=2026-13-40'))).toMatchObject({
      since: undefined,
      until: undefined,
    });
  });
});

describe('the way to a record', () => {
  const event = (recordKind: string, recordId: string, action = 'update') => ({ recordKind, recordId, action });

  it.each([
    ['menu-products', 'prod_1', '/menu/products/prod_1'],
    ['cms-entries', 'chefs/chef_1', '/content/entries/chefs/edit/chef_1'],
    ['conversations', 'conv_1', '/inbox/conv_1'],
    ['members', 'mem_mona.2:a', '/access/members/mem_mona.2%3Aa'],
    ['workspace', 'ws_1', '/settings'],
  ])('leads from %s %s to %s', (kind, id, screen) => {
    expect(screenOf(event(kind, id))).toBe(screen);
  });

  it('leads nowhere from what was deleted, or has no screen', () => {
    expect(screenOf(event('menu-products', 'prod_1', 'delete'))).toBeUndefined();
    expect(screenOf(event('agents', 'agent_1'))).toBeUndefined();
    expect(screenOf(event('toString', 'x'))).toBeUndefined();
  });
});

describe('days', () => {
  it('go from an input to a time and back', () => {
    expect(dayOf(endOfDay('2026-01-31'))).toBe('2026-01-31');
    expect(dayOf(startOfDay('2026-01-31'))).toBe('2026-01-31');
    expect(dayOf(startOfNextDay('2026-01-31'))).toBe('2026-02-01');
    expect(dayOf(daysAhead(30, Date.parse('2026-01-01T12:00:00Z')))).toBe('2026-01-31');
  });

  it('are nothing for an empty or senseless input', () => {
    expect([endOfDay(''), startOfDay('x'), startOfNextDay(''), dayOf(null), dayOf('x')]).toEqual([
      null,
      null,
      null,
      '',
      '',
    ]);
  });
});
