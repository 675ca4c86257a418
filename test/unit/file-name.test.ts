import { describe, expect, it } from '@jest/globals';
import { asciiNameOf, extensionOf, fileNameOf } from '#lib/domain/files/file-name.ts';
import { fileNames as names } from '#test/support/file-names.ts';
import { computedMilliseconds } from '#test/support/spent-time.ts';

describe('the name of a file', () => {
  it.each(names)('%j is shown as %j', (sent, name) => {
    expect(fileNameOf(sent)).toBe(name);
  });

  it.each(names)('%j has a key of plain characters', (_, name, ascii) => {
    expect(asciiNameOf(name)).toBe(ascii);
    expect(ascii).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]*$/);
  });

  it.each(names)('%j does not change in a round trip', (_, name) => {
    expect(fileNameOf(name)).toBe(name);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(150);
    expect(name.normalize('NFC')).toBe(name);
  });

  it.each([' ', '.', '-', '%', '\u00a0', 'é'])(
    'the name of a file of a million times %j is processed in linear time',
    async (character) => {
      const work = () => asciiNameOf(fileNameOf(`a${character.repeat(1_000_000)}b`));
      expect(await computedMilliseconds(work)).toBeLessThan(10_000);
    },
  );
});

describe('the extension of a name', () => {
  it.each([
    ['a.pdf', 'pdf'],
    ['a.b.PDF', 'PDF'],
    ['pdf', ''],
    ['.pdf', ''],
    [`a.${'e'.repeat(21)}`, ''],
  ])('the extension of a name of %j is %j', (name, extension) => {
    expect(extensionOf(name)).toBe(extension);
  });
});
