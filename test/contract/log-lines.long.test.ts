import { describe } from '@jest/globals';
import { forms, itHidesKeys, itHidesSecretsOfOthers, itKeepsLinesWhole } from './hostile-lines.ts';

// The callers and keys that log-lines.test.ts leaves out.

describe('log lines', () => {
  const { keys } = forms;
  itKeepsLinesWhole({ 'a megabyte': 'x'.repeat(1_000_000) }, ['admin', 'editor', 'room', 'nobody']);
  itHidesKeys([keys.reader, keys.powerless, 'imported-secret-of-20-chars']);
  itHidesSecretsOfOthers(['editor', 'room']);
});
