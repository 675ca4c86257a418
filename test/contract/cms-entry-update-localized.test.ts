import { beforeEach, describe, expect, it } from '@jest/globals';
import { issuesOf } from '#test/support/answers.ts';
import { call } from '#test/support/call.ts';
import { openWorkspace } from '#test/support/workspace.ts';

const kitchen = await openWorkspace('kitchen');
const key = kitchen.keys.editor;
const path = '/api/public/cms/chefs/chef_1';
const update = (values: object) => call(`PATCH ${path}?fields=name,bio`, { key, body: { values } });
const read = async () => (await call(`GET ${path}?fields=name,bio`, { key })).json;

const name = { en: 'Noor', ar: 'نور' };
const bio = { en: 'Grills', ar: 'يشوي' };
beforeEach(async () => {
  expect((await update({ name, bio })).status).toBe(200);
});

describe('a localized field', () => {
  it.each<[string, object, object | null]>([
    ['one language only', { en: 'Bakes' }, { en: 'Bakes', ar: 'يشوي' }],
    ['several languages', { ar: 'يخبز', en: 'Bakes' }, { en: 'Bakes', ar: 'يخبز' }],
    ['blank text', { en: '' }, { en: '', ar: 'يشوي' }],
    ['no language', {}, bio],
    ['null for one language', { ar: null }, { en: 'Grills' }],
    ['null for one language and text for another', { en: null, ar: 'يخبز' }, { ar: 'يخبز' }],
    ['null for every language', { en: null, ar: null }, null],
  ])('accepts %s', async (_, sent, expected) => {
    const { status, json } = await update({ bio: sent });
    expect(status).toBe(200);
    expect(json).toEqual({ id: 'chef_1', name, bio: expected });
    expect(await read()).toEqual(json);
  });

  it('is cleared by null', async () => {
    const { status, json } = await update({ bio: null });
    expect(status).toBe(200);
    expect(json.bio).toBeNull();
    expect((await read()).bio).toBeNull();
  });

  it.each([
    ['null', null],
    ['the removal of every language', { en: null, ar: null }],
  ])('accepts languages again after %s', async (_, cleared) => {
    await update({ bio: cleared });
    expect((await update({ bio: { ar: 'يخبز' } })).json.bio).toEqual({ ar: 'يخبز' });
    expect((await update({ bio: { en: 'Bakes' } })).json.bio).toEqual({ en: 'Bakes', ar: 'يخبز' });
    expect((await read()).bio).toEqual({ en: 'Bakes', ar: 'يخبز' });
  });

  it('stays unchanged after the removal of a language that it lacks', async () => {
    await update({ bio: { en: null } });
    const { status, json } = await update({ bio: { en: null } });
    expect(status).toBe(200);
    expect(json.bio).toEqual({ ar: 'يشوي' });
  });

  it('shows its languages in the order of the workspace, not in that of the request', async () => {
    const { text } = await update({ bio: { ar: 'ب', en: 'b' } });
    expect(text).toContain('"bio":{"en":"b","ar":"ب"}');
  });
});

describe('400 for a localized field', () => {
  it.each<[string, unknown, ...string[]]>([
    ['plain text', 'Grills', 'values.bio type'],
    ['blank text', '', 'values.bio type'],
    ['a number', 1, 'values.bio type'],
    ['a list', ['Grills'], 'values.bio type'],
    ['an empty list', [], 'values.bio type'],
    ['a language of another workspace', { fr: 'Grille' }, 'values.bio.fr not_allowed'],
    ['a language in two letter cases', { en: 'Grills', EN: 'Grille' }, 'values.bio.EN duplicate'],
    ['a language with a region', { 'en-GB': 'Grills' }, 'values.bio.en-GB not_allowed'],
    ['null for an unknown language', { fr: null }, 'values.bio.fr not_allowed'],
    ['a number for a language', { en: 1 }, 'values.bio.en type'],
    ['an object for a language', { en: { text: 'x' } }, 'values.bio.en type'],
    ['a list for a language', { en: ['x'] }, 'values.bio.en type'],
    [
      'several bad languages',
      { en: 1, fr: 'x', de: 2 },
      'values.bio.de not_allowed',
      'values.bio.en type',
      'values.bio.fr not_allowed',
    ],
  ])('that is %s', async (_, sent, ...expected) => {
    const answer = await update({ bio: sent, name: { en: 'Good' } });
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe('validation_failed');
    expect(issuesOf(answer).sort()).toEqual(expected);
    expect(await read()).toEqual({ id: 'chef_1', name, bio });
  });
});

describe('a required localized field', () => {
  it.each<[object, object]>([
    [{ en: null }, { ar: 'نور' }],
    [{ en: ' ' }, { en: ' ', ar: 'نور' }],
    [{ en: null, ar: 'نورة' }, { ar: 'نورة' }],
    [{}, name],
  ])('accepts %j while a language with text is left', async (sent, expected) => {
    const { status, json } = await update({ name: sent });
    expect(status).toBe(200);
    expect(json.name).toEqual(expected);
  });

  it.each([null, { en: null, ar: null }, { en: '', ar: ' ' }, { en: '\n\t', ar: null }])(
    '400 for %j, which leaves it without a value',
    async (sent) => {
      const answer = await update({ name: sent, bio: { en: 'Good' } });
      expect(answer.status).toBe(400);
      expect(answer.json.code).toBe('validation_failed');
      expect(issuesOf(answer)).toEqual(['values.name required']);
      expect(await read()).toEqual({ id: 'chef_1', name, bio });
    },
  );

  it('400 for the removal of the last language', async () => {
    await update({ name: { ar: null } });
    for (const sent of [{ en: null }, { en: ' ' }]) {
      const answer = await update({ name: sent });
      expect(answer.status).toBe(400);
      expect(issuesOf(answer)).toEqual(['values.name required']);
    }
    expect((await read()).name).toEqual({ en: 'Noor' });
  });

  it('may be left out', async () => {
    expect((await update({ bio: null })).status).toBe(200);
  });
});
