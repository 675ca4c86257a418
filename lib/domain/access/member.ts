import * as z from 'zod/mini';
import { orNull, orTrue } from '../defaults.ts';
import { RecordId } from '../text/identifier.ts';
import { Permissions } from './permission.ts';

/** The languages of the console. */
export const ConsoleLanguage = z.enum(['en', 'ar']);

/** A person of the workspace; keys may belong to one (lib/spec/decisions.md section 2). */
export const Member = z.strictObject({
  id: RecordId,
  name: z.string(),
  email: orNull(z.string().check(z.maxLength(254, 'Must be at most 254 characters.'))),
  active: orTrue(),
  permissions: z._default(Permissions, () => []),
  /** In which language the member sees the console; absent or null where the browser decides. */
  language: z.optional(z.nullable(ConsoleLanguage)),
});
export type Member = z.infer<typeof Member>;

/** The spelling in which an address is compared (lib/spec/additions.md section 6); none for a blank one. */
export function memberAddress(email: string | null | undefined): string | undefined {
  const address = (email ?? '').trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return address === '' ? undefined : address;
}

/** Whether a member may manage members, and counts at all. */
export const isManager = ({ active, permissions }: Member): boolean =>
  active && permissions.includes('access:member:manage');
