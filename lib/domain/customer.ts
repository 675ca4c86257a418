import * as z from 'zod/mini';
import { orNull } from './defaults.ts';
import { RecordId } from './identifier.ts';

/** Someone who writes to the workspace; never a member of it (lib/spec/interface.md section 2.6). */
export const Customer = z.strictObject({
  id: RecordId,
  externalId: orNull(z.string()),
  name: orNull(z.string()),
  email: orNull(z.string()),
  phone: orNull(z.string()),
});
export type Customer = z.infer<typeof Customer>;
