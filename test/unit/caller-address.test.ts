import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { callerName } from '#lib/http/origin.ts';

const edge = '198.51.100.9';
const keyOf = (byte: number) => createSecretKey(Buffer.alloc(32, byte));
const nameOf = (forwarded: string | undefined, sourceIp = edge, key = keyOf(1), isForwarded = true) => {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return callerName({ headers, requestContext: { http: { sourceIp } } } as never, key, isForwarded);
};
const viewer = nameOf('203.0.113.7');

describe("the name of a caller's address", () => {
  it('is 16 hexadecimal digits without the address', () => {
    expect(viewer).toMatch(/^[0-9a-f]{16}$/);
  });

  it.each([`203.0.113.7, ${edge}`, `203.0.113.7,${edge}`, '10.0.0.1, 203.0.113.7', `1.1.1.1, 203.0.113.7, ${edge}`])(
    'is that of the viewer, not of what the viewer claims or of the distribution: %s',
    (forwarded) => {
      expect(nameOf(forwarded)).toBe(viewer);
    },
  );

  it('is that of the connection without the header or without a distribution', () => {
    expect(nameOf(undefined, '203.0.113.7')).toBe(viewer);
    const local = nameOf(undefined, edge, keyOf(1), false);
    expect(nameOf('203.0.113.7', edge, keyOf(1), false)).toBe(local);
  });

  it('depends on the key', () => {
    expect(nameOf('203.0.113.7', edge, keyOf(2))).not.toBe(viewer);
  });
});
