import * as z from 'zod/mini';
import { orNull, orTrue } from '../defaults.ts';
import { RecordId } from '../text/identifier.ts';
import { Permissions } from './permission.ts';

/** The languages of the console. */
export const ConsoleLanguage = z.enum(['en', 'ar']);

/** A member of the workspace. API keys may belong to a member (lib/spec/decisions.md section 2). */
export const Member = z.strictObject({
  id: RecordId,
  name: z.string(),
  email: orNull(z.string().check(z.maxLength(254, 'Must be at most 254 characters.'))),
  active: orTrue(),
  permissions: z._default(Permissions, () => []),
  /** The language of the member's console. By default the browser decides. */
  language: z.optional(z.nullable(ConsoleLanguage)),
});
export type Member = z.infer<typeof Member>;

/** Normalises an address for comparison (lib/spec/additions.md section 6). @returns undefined for a blank one */
export function memberAddress(email: string | null | undefined): string | undefined {
  const address = (email ?? '').trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return address === '' ? undefined : address;
}

/** True for an active member who may manage members. */
export const isManager = ({ active, permissions }: Member): boolean =>
  active && permissions.includes('access:member:manage');
