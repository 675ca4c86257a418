import * as z from 'zod/mini';
import { bulkKinds, managed } from '#lib/kinds/kinds.ts';
import { UncheckedRecordBody } from './bodies.ts';

const changesMax = 100;

/** The kinds with endpoints of their own, and those whose answers have secrets. */
const ownAddresses: ReadonlySet<unknown> = new Set(['members', 'api-keys', 'workspace', 'webhooks']);

/** The workspace has its own endpoint. A change of audit events is refused with 405, like a separate call. */
const kinds: [string, ...string[]] = ['audit-events', ...bulkKinds.map((kind) => managed(kind).path)];

/** One change of many; `record` is the whole record or, for PATCH, the merge patch. */
const ChangeItem = z.strictObject({
  method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']),
  kind: z.enum(kinds, {
    error: ({ input }) =>
      ownAddresses.has(input)
        ? `Cannot be ${input}: use /api/v1/manage/${input} instead.`
        : `Must be one of ${kinds.join(', ')}.`,
  }),
  id: z.optional(z.string()),
  ifMatch: z.optional(z.string()),
  record: z.optional(UncheckedRecordBody),
});
export type ChangeItem = z.output<typeof ChangeItem>;

/** The body of `POST /api/v1/manage/changes` (lib/spec/additions.md section 2, bulk). */
export const Changes = z.strictObject({
  changes: z
    .array(
      ChangeItem.check(
        z.refine(({ method, id }) => method === 'POST' || id !== undefined, {
          error: 'Is required.',
          path: ['id'],
          params: { code: 'required' },
        }),
        z.refine(({ method, record }) => method === 'DELETE' || record !== undefined, {
          error: 'Is required and must be an object.',
          path: ['record'],
          params: { code: 'required' },
        }),
        z.refine(({ method, record }) => method !== 'DELETE' || record === undefined, {
          error: 'Must be absent: DELETE takes no record.',
          path: ['record'],
          params: { code: 'not_allowed' },
        }),
      ),
    )
    .check(z.maxLength(changesMax, `Must be at most ${changesMax} changes.`)),
});

const ChangeError = z.strictObject({
  message: z.string(),
  code: z.string(),
  errors: z.optional(z.array(z.strictObject({ path: z.string(), code: z.string(), message: z.string() }))),
});

/** The result of each change. `error` is the body that a single call would get. */
export const ChangeResult = z.strictObject({
  status: z.number(),
  id: z.optional(z.string()),
  etag: z.optional(z.string()),
  error: z.optional(ChangeError),
});
export type ChangeResult = z.output<typeof ChangeResult>;

export const ChangeResults = z.strictObject({ results: z.array(ChangeResult) });
