import { writeFile } from 'node:fs/promises';
import { afterEach, expect, it, jest } from '@jest/globals';
import {
  readStored,
  readWorkspace,
  storedForm,
  storedText,
  visibleForm,
  writeWorkspace,
} from '#test/support/stored-workspace.ts';

// test/fixtures/stored/README.md
const fixture = new URL('../fixtures/stored/workspace.json', import.meta.url);
if (process.env['UPDATE_STORED']) await writeFile(fixture, storedText(await writeWorkspace()));
const own = await readStored(fixture);

afterEach(() => {
  jest.useRealTimers();
});

it('the stored form is that of the fixture; UPDATE_STORED=1 renews it after an intended change', async () => {
  expect(storedForm(await writeWorkspace())).toEqual(storedForm(own));
});

it('this version reads what it, or the version that STORED_BY names, has stored: all the same, to the byte', async () => {
  const { STORED_BY: other } = process.env;
  const stored = other === undefined ? own : await readStored(other);
  const timers = [
    'setInterval',
    'clearInterval',
    'setTimeout',
    'clearTimeout',
    'setImmediate',
    'clearImmediate',
  ] as const;
  // Sessions, tokens and stored answers have not ended yet.
  jest.useFakeTimers({
    now: Date.parse(stored.writtenAt) + 60_000,
    doNotFake: [...timers, 'hrtime', 'nextTick', 'performance', 'queueMicrotask'],
  });
  const answers = await readWorkspace(stored);
  if (other === undefined) expect(answers).toEqual(own.answers);
  expect(visibleForm(answers, stored)).toEqual(visibleForm(own.answers, own));
});
