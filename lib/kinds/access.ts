import * as z from 'zod/mini';
import { ApiKey } from '#lib/domain/access/api-key.ts';
import { Member } from '#lib/domain/access/member-record.ts';
import { crud, defineKind, edits } from './define-kind.ts';

export const member = defineKind({
  documentPath: ['members'],
  schema: Member,
  unique: 'email',
  events: { path: 'members', actions: edits, read: ['access:member:read'] },
  managed: {
    path: 'members',
    noun: 'member',
    label: { en: 'Member', ar: 'عضو' },
    verbs: crud('access:member:read', 'access:member:manage'),
    hasOwnFunctions: true,
    idPrefix: 'mem_',
    searched: ['id', 'name', 'email'],
  },
});

/** A key in a request body. It has no secret, because the service makes it. */
export const ApiKeyInput = z.omit(ApiKey, { secret: true, secretHash: true });

/** A key in answers, without its secret and the hash of the secret (lib/spec/additions.md section 2). */
export const ApiKeyView = z.extend(ApiKeyInput, {
  /** Truncated to the hour; null before the first use. */
  lastUsedAt: z.nullable(z.string()),
});

/** A key with its new secret, which no later answer contains. */
export const IssuedApiKey = z.extend(ApiKeyView, { secret: z.optional(z.string()) });

const { replace: _, delete: __, ...keyVerbs } = crud('access:key:read', 'access:key:manage');

export const apiKey = defineKind({
  documentPath: ['apiKeys'],
  schema: ApiKey,
  references: [{ path: 'memberId', to: 'member' }],
  events: { path: 'api-keys', actions: edits, read: ['access:key:read'] },
  managed: {
    path: 'api-keys',
    noun: 'API key',
    label: { en: 'API key', ar: 'مفتاح API' },
    // Keys are revoked, never removed.
    verbs: keyVerbs,
    hasOwnFunctions: true,
    idPrefix: 'key_',
    input: ApiKeyInput,
    view: ApiKeyView,
    words: {
      record: 'An API key, without its secret.',
      input: 'An API key to create. Missing properties get their defaults.',
    },
  },
});

export const accessKinds = { member, apiKey };
