import * as z from 'zod/mini';
import { orNull, orTrue } from './defaults.ts';
import { RecordId } from './identifier.ts';
import { Permissions } from './permission.ts';

/** A person of the workspace; keys may belong to one (lib/spec/decisions.md section 2). */
export const Member = z.strictObject({
  id: RecordId,
  name: z.string(),
  email: orNull(z.string()),
  active: orTrue(),
  permissions: z._default(Permissions, () => []),
});
export type Member = z.infer<typeof Member>;
