import type { Issue } from './input.ts';
import { recordBytesMax } from './stored-size.ts';

/** An issue if a record is too large. */
export function recordSizeIssues(bytes: number): Issue[] {
  if (bytes <= recordBytesMax) return [];
  const message = `Must take at most 350 KB to store; it takes ${Math.ceil(bytes / 1_024)} KB.`;
  return [{ path: '', code: 'too_large', message }];
}
