import { expect, it } from '@jest/globals';
import { nothingStored } from '#lib/workspace/document-lookup.ts';
import { readDocument } from '#lib/workspace/read-document.ts';
import { parsedRecords, validateDocument } from '#lib/workspace/validate-document.ts';
import { fc, runs } from '#test/support/fast-check.ts';
import { type Document, fileOf, smallDocument } from './document-file.ts';

/** All positions in a document, as paths. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))];
}

/** Replaces the value at a path, as text, so that even `__proto__` stays a member. */
function replaced(document: Document, [name, ...rest]: readonly string[], text: string): string {
  if (name === undefined) return text;
  const entries = Object.entries(document).map(([member, value]): [string, string] => [
    member,
    member === name ? replaced(value, rest, text) : JSON.stringify(value),
  ]);
  if (Array.isArray(document)) return `[${entries.map(([, value]) => value).join(',')}]`;
  return `{${entries.map(([member, value]) => `${JSON.stringify(member)}:${value}`).join(',')}}`;
}

const strange = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(
    'null',
    '[]',
    '{}',
    '""',
    '-0',
    '1e400',
    '"\\ud800"',
    '"__proto__"',
    '"constructor"',
    '"toString"',
    '{"__proto__":{"a":1}}',
    '{"constructor":{"prototype":1}}',
    '{"toString":1,"en":"x"}',
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  ),
);

it('Any value at any path of a document is judged, and an accepted document can be imported', async () => {
  const places = pathsOf(smallDocument());
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), strange, async (place, text) => {
      const file = await fileOf(replaced(smallDocument(), place, text));
      const validation = await validateDocument(() => readDocument(file), { stored: () => nothingStored });
      for (const { message } of validation.failures) expect(message).toMatch(/^[A-Z].*\.$/s);
      if (validation.failures.length > 0) return;
      const records = await Array.fromAsync(parsedRecords(() => readDocument(file), validation));
      expect(records.map(({ kind }) => kind)).toContain('workspace');
    }),
    runs(700),
  );
  expect(({} as Document).a).toBeUndefined();
});
