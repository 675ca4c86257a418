import { describe, expect, it } from '@jest/globals';
import { fc, runs } from '#test/support/fast-check.ts';
import { type Operation, Register } from '#test/support/history/register.ts';

const never = Number.POSITIVE_INFINITY;
type Row = readonly [kind: 'write' | 'read' | 'absent', value: string, start: number, end: number];

function violationsOf(rows: readonly Row[]): string[] {
  const register = new Register('r', '0');
  for (const [kind, value, start, end] of rows) register[kind]({ value, start, end });
  return register.violations();
}

describe('a history is right', () => {
  it.each<[string, Row[]]>([
    ['of reads of the first value', [['read', '0', 1, 2]]],
    [
      'of a read after a write',
      [
        ['write', 'a', 1, 2],
        ['read', 'a', 3, 4],
      ],
    ],
    [
      'of a read of either value during a write',
      [
        ['write', 'a', 1, 6],
        ['read', '0', 2, 3],
        ['read', 'a', 4, 5],
      ],
    ],
    [
      'of a write without an answer that is never seen',
      [
        ['write', 'a', 1, never],
        ['read', '0', 3, 4],
      ],
    ],
    [
      'of a write without an answer that is seen late',
      [
        ['write', 'a', 1, never],
        ['read', '0', 3, 4],
        ['read', 'a', 5, 6],
      ],
    ],
    [
      'of writes at once in either order',
      [
        ['write', 'a', 1, 4],
        ['write', 'b', 2, 3],
        ['read', 'a', 5, 6],
      ],
    ],
    [
      'of a record that is not found after its removal, or during it',
      [
        ['write', 'gone 1', 1, 4],
        ['absent', '', 2, 3],
        ['absent', '', 5, 6],
      ],
    ],
    [
      'of a record that is not found after a removal without an answer',
      [
        ['write', 'gone 1', 1, never],
        ['read', '0', 2, 3],
        ['absent', '', 5, 6],
      ],
    ],
  ])('%s', (_, rows) => expect(violationsOf(rows)).toEqual([]));
});

describe('a history is wrong', () => {
  it.each<[string, Row[], RegExp]>([
    [
      'of a read of the value before an acknowledged write',
      [
        ['write', 'a', 1, 2],
        ['read', '0', 3, 4],
      ],
      /both current|came and went/,
    ],
    ['of a read of what was never written', [['read', 'a', 1, 2]], /never written/],
    [
      'of a read of what is written later',
      [
        ['read', 'a', 1, 2],
        ['write', 'a', 3, 4],
      ],
      /read before/,
    ],
    [
      'of reads that go back',
      [
        ['write', 'a', 1, 8],
        ['read', 'a', 2, 3],
        ['read', '0', 4, 5],
      ],
      /both current|came and went/,
    ],
    [
      'of a value that comes back',
      [
        ['write', 'a', 1, 9],
        ['read', 'a', 2, 3],
        ['write', 'b', 4, 5],
        ['read', 'a', 10, 11],
      ],
      /came and went|both current/,
    ],
    [
      'of a late write without an answer that goes again',
      [
        ['write', 'a', 1, never],
        ['read', 'a', 2, 3],
        ['read', '0', 4, 5],
      ],
      /both current|came and went/,
    ],
    ['of a record that is not found and was not removed', [['absent', '', 1, 2]], /was not found/],
    [
      'of a record that is not found after it was made again',
      [
        ['write', 'gone 1', 1, 2],
        ['write', 'a', 3, 4],
        ['absent', '', 5, 6],
      ],
      /was not found/,
    ],
    [
      'of a record that is found after its removal',
      [
        ['write', 'gone 1', 1, 2],
        ['read', '0', 3, 4],
      ],
      /came and went/,
    ],
  ])('%s', (_, rows, expected) => expect(violationsOf(rows).join()).toMatch(expected));
});

it('the possible values at a time are those not certainly overwritten before', () => {
  const register = new Register('r', '0');
  register.write({ value: 'a', start: 1, end: 4 });
  register.write({ value: 'b', start: 5, end: 9 });
  register.write({ value: 'late', start: 2, end: never });
  expect(register.possibleValues(0, 0)).toEqual(['0']);
  expect(register.possibleValues(3, 6)).toEqual(['0', 'a', 'b', 'late']);
  expect(register.possibleValues(5, 6)).toEqual(['a', 'b', 'late']);
  expect(register.possibleValues(10, 11)).toEqual(['b', 'late']);
});

/**
 * Tries all orders of the operations within their times.
 * @returns whether in one of them every read finds the last write
 */
function hasOrder(operations: readonly (Operation & { readonly kind: string })[], current: string): boolean {
  if (operations.every(({ end }) => end === never)) return true;
  return operations.some((operation, index) => {
    if (operations.some((other) => other.end < operation.start)) return false;
    if (operation.kind === 'read' && operation.value !== current) return false;
    return hasOrder(operations.toSpliced(index, 1), operation.kind === 'write' ? operation.value : current);
  });
}

it('histories are right if and only if an order of their operations explains them', () => {
  const times = fc.tuple(fc.nat(15), fc.integer({ min: 1, max: 8 }));
  const operation = fc.record({ kind: fc.constantFrom('write', 'read'), times, value: fc.nat(3), isLost: fc.nat(3) });
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 7 }), (drawn) => {
      let written = 0;
      const operations = drawn.map(({ kind, times: [start, length], value, isLost }, index) => ({
        kind,
        value: String(kind === 'write' ? ++written : value),
        // All steps are different.
        start: 20 * start + index,
        end: kind === 'write' && isLost === 0 ? never : 20 * (start + length) + index + 10,
      }));
      const register = new Register('r', '0');
      for (const { kind, ...operation } of operations) register[kind as 'read' | 'write'](operation);
      expect(register.violations().length === 0).toBe(hasOrder(operations, '0'));
    }),
    runs(3_000),
  );
});
