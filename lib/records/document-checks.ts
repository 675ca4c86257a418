import { createHash } from 'node:crypto';
import { type Issue, isObject, type JsonObject, textOf } from '#lib/domain/input.ts';
import { isKeyOfWorkspace } from '#lib/domain/messaging/attachment.ts';
import { languageIn } from '#lib/domain/text/language-tag.ts';
import { type Kind, kindOf } from '#lib/kinds/kinds.ts';
import type { CheckedKind, Checks } from './record-lookup.ts';
import { schemaChecks } from './schema-checks.ts';
import { writtenChecks } from './written-checks.ts';

const documentChecks: Checks = {
  ...schemaChecks,
  ...writtenChecks,

  apiKey: async (record, lookup) => {
    const { secret, secretHash, id } = record;
    const failures: Issue[] = [];
    const hash = secretHashOf(record);
    if (secret !== undefined && secretHash !== undefined && hash !== secretHash) {
      const message = 'Must be left out beside a secret, or be the SHA-256 of it.';
      failures.push({ path: 'secretHash', code: 'not_allowed', message });
    }
    if (hash !== undefined && (await lookup.isSecretTaken?.(hash, textOf(id)))) {
      const path = secret === undefined ? 'secretHash' : 'secret';
      failures.push({ path, code: 'duplicate', message: 'Must be unique: another key has the same secret.' });
    }
    return { failures };
  },

  conversation: async ({ id, kind, parentId, language }, lookup) => {
    const { languages = [], isExport } = lookup;
    const issues: Issue[] = [];
    if (typeof parentId === 'string' && parentId === id) {
      issues.push({ path: 'parentId', code: 'not_allowed', message: 'Must be a main conversation, not itself.' });
    } else if (typeof parentId === 'string' && (await lookup.isSubConversation?.(parentId))) {
      const message = `Must be a main conversation; ${parentId} is a sub-conversation.`;
      issues.push({ path: 'parentId', code: 'not_allowed', message });
    }
    if (typeof parentId === 'string' && kind === 'main') {
      const message = 'Must be project, order, support or topic with parentId.';
      issues.push({ path: 'kind', code: 'not_allowed', message });
    }
    if (typeof language === 'string' && lookup.languages && languageIn(languages, language) === undefined) {
      const message = `Must be null or one of the workspace's languages: ${languages.join(', ')}.`;
      issues.push({ path: 'language', code: 'not_allowed', message });
    }
    return isExport ? { warnings: issues } : { failures: issues };
  },

  formResponse: async ({ meta }, { isExport }) => {
    const names = isObject(meta) ? Object.keys(meta).filter((name) => !name.startsWith('_')) : [];
    const message = 'Must have a name that starts with _, as metadata has.';
    const issues = names.map((name): Issue => ({ path: `meta.${name}`, code: 'not_allowed', message }));
    return isExport ? { warnings: issues } : { failures: issues };
  },

  attachment: async ({ s3Key }, { workspaceId }) => {
    if (typeof s3Key !== 'string' || workspaceId === undefined || isKeyOfWorkspace(s3Key, workspaceId)) return {};
    const message = `Must lie in the workspace's own part: workspaces/${workspaceId}/.`;
    return { failures: [{ path: 's3Key', code: 'not_allowed', message }] };
  },
};

/** A kind as documents have it. */
export const documentKind = (kind: Kind): CheckedKind => {
  const check = documentChecks[kind];
  return { ...kindOf(kind), ...(check && { check }) };
};

/** The SHA-256 of a key's secret, or undefined if the record has neither secret nor hash. */
export function secretHashOf({ secret, secretHash }: JsonObject): string | undefined {
  if (typeof secret === 'string') return createHash('sha256').update(secret).digest('hex');
  return typeof secretHash === 'string' ? secretHash : undefined;
}
