import * as z from 'zod/mini';
import { ApiKey } from '#lib/domain/access/api-key.ts';
import { Member } from '#lib/domain/access/member.ts';
import type { ApiKeyRecord } from '#lib/table/access/api-key-records.ts';

const withoutSecrets = z.omit(ApiKey, { secret: true, secretHash: true });

/** A key in a request body. It has no secret, because the service makes it. */
export const ApiKeyInput = withoutSecrets;

/** A key in answers, without its secret and the hash of the secret (lib/spec/additions.md section 2). */
export const ApiKeyView = z.extend(withoutSecrets, {
  /** Truncated to the hour; null before the first use. */
  lastUsedAt: z.nullable(z.string()),
});
export type ApiKeyView = z.infer<typeof ApiKeyView>;

/** A key with its new secret, which no later answer contains. */
export const IssuedApiKey = z.extend(ApiKeyView, { secret: z.optional(z.string()) });

/** A member in a request body. */
export const MemberInput = Member.clone(Member._zod.def as never);

export const keyView = (record: ApiKeyRecord, lastUsedAt: string | null): ApiKeyView => {
  const { secretHash, retired, ...view } = record;
  return { ...view, lastUsedAt };
};
