import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { foldText } from '#lib/domain/text/folded-text.ts';
import { normalized } from '#lib/domain/text/normal-form.ts';
import { Slug } from '#lib/domain/text/slug.ts';
import { fc, runs } from '#test/support/fast-check.ts';

const root = resolve(import.meta.dirname, '../..');
const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;
/** The engine would take minutes for half a million marks, because it sorts them. */
const hostile = `a${'\u0301\u0316'.repeat(250_000)}`;

describe('a text in a normal form', () => {
  it('is what the engine makes of it', () => {
    const written = fc.string({ unit: fc.constantFrom(...'aÅeﬁかｶﾞﾟ한각각पनीáกำ\u0301\u0316\u064b\u09be\u0301') });
    fc.assert(
      fc.property(written, fc.string({ unit: 'binary' }), fc.constantFrom(...forms), (a, b, form) => {
        const text = `${a}${b}`.slice(0, 500);
        expect(normalized(text, form)).toBe(text.normalize(form));
      }),
      runs(3_000),
    );
  });

  it('has the marks after a letter in order a hundred at a time', () => {
    const [below, above] = ['\u0316', '\u0301'];
    const sorted = `${below.repeat(50)}${above.repeat(50)}`;
    expect(normalized(hostile.slice(0, 221), 'NFD')).toBe(`a${sorted}${sorted}${below.repeat(10)}${above.repeat(10)}`);
  });

  it('is made of hostile texts wherever texts are compared', () => {
    expect(foldText(hostile)).toBe('a');
    expect(foldText(`a${'\u0301\uff9e'.repeat(250_000)}`)).toHaveLength(250_001);
    expect(Slug.safeParse(hostile).success).toBe(false);
  });
});

it('Only short texts are normalized by the engine alone', () => {
  const files = globSync('{lib,functions}/**/*.{ts,tsx}', { cwd: root });
  const direct = files.filter((file) => /\.normalize\(/.test(readFileSync(join(root, file), 'utf8')));
  expect(direct.sort()).toEqual([
    'lib/console/app/editing/unused-key.ts',
    'lib/domain/files/file-name.ts',
    'lib/domain/forms/responses-document.ts',
    'lib/domain/text/normal-form.ts',
  ]);
});
