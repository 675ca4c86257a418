import { createHash } from 'node:crypto';
import type { Key } from '../schema.ts';

/** A hash, because an address may contain any character. */
const membershipsOfAddress = (address: string): string =>
  `ADDRESS#${createHash('sha256').update(address).digest('hex')}`;

/** Part of the keys of the table: the access patterns S1 and S2 of keys.ts. */
export const signInKeys = {
  /** S1 */
  session: (cookieHash: string): Key => ({ pk: `SESSION#${cookieHash}`, sk: 'SESSION' }),

  /** S2; an address as `memberAddress` spells it */
  memberships: membershipsOfAddress,
  membership: (address: string, workspaceId: string): Key => ({ pk: membershipsOfAddress(address), sk: workspaceId }),
} as const;
