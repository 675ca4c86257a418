import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Catalogue } from '#lib/console/app/texts/catalogue.ts';

const app = join(import.meta.dirname, '../../lib/console/app');
const files = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /(?:^|[\\/])texts\.ts$/.test(path),
);
const catalogues = await Promise.all(
  files.map(async (path) => {
    const exported: Record<string, unknown> = await import(join(app, path));
    return [path, Object.values(exported)[0] as Catalogue<Record<string, string>>] as const;
  }),
);

const places = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

describe.each(catalogues)('the texts of %s', (_, { en, ar }) => {
  it('are there in both languages, in the same order', () => {
    expect(Object.keys(ar)).toEqual(Object.keys(en));
  });

  it.each(Object.keys(en))('have %s in each language, with the same placeholders', (name) => {
    const english = en[name] ?? '';
    const arabic = ar[name] ?? '';
    expect(english.trim()).toBe(english);
    expect(english).not.toBe('');
    expect(places(arabic)).toEqual(places(english));
    // A noun with a number has six forms in Arabic, so no noun follows a number.
    expect(arabic).not.toMatch(/\{(?:count|failed)\}\s+\p{Script=Arabic}/u);
    // The name of the other language is the only text in that language.
    if (name !== 'otherLanguage') expect(arabic).toMatch(/\p{Script=Arabic}/u);
  });
});
