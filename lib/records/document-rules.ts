import { allowsModel, modelChoice } from '#lib/ai/model-choice.ts';
import type { Issue } from '#lib/domain/issue.ts';
import { isObject, type JsonObject, textOf } from '#lib/domain/json-object.ts';
import { isKeyOfWorkspace } from '#lib/domain/messaging/attachment.ts';
import { notificationIssues } from '#lib/domain/messaging/notification.ts';
import { scheduleIssues } from '#lib/domain/schedule-shape.ts';
import { languageIn } from '#lib/domain/text/language-tag.ts';
import { isSelector } from '#lib/kinds/event-types.ts';
import type { Kind } from '#lib/kinds/kinds.ts';
import { urlFault } from '#lib/webhooks/addresses.ts';
import { absentTargets } from './entry-values.ts';
import type { RecordLookup } from './record-lookup.ts';
import { secretHashOf } from './unique-names.ts';
import { valuesAt } from './values-at.ts';

interface RuleIssues {
  readonly failures?: Issue[];
  readonly warnings?: Issue[];
}

/** Checks a parsed record, or the original value if it is malformed. */
type RecordRule = (record: JsonObject, lookup: RecordLookup) => Promise<RuleIssues>;

/** The rules of a kind beyond shape, languages and references. */
export const documentRules: Partial<Record<Kind, RecordRule>> = {
  /** Stored texts have the stored spelling, and are found by it. */
  workspace: async ({ languages }, lookup) => {
    const stored = await lookup.storedLanguages();
    const failures = (Array.isArray(languages) ? languages : []).flatMap((language: unknown, index): Issue[] => {
      const own = typeof language === 'string' ? languageIn(stored, language) : undefined;
      if (own === undefined || own === language) return [];
      return [{ path: `languages.${index}`, code: 'not_allowed', message: `Must be spelled ${own}, as it is stored.` }];
    });
    return { failures };
  },

  apiKey: async (record, lookup) => {
    const { secret, secretHash, id } = record;
    const failures: Issue[] = [];
    const hash = secretHashOf(record);
    if (secret !== undefined && secretHash !== undefined && hash !== secretHash) {
      const message = 'Must be left out beside a secret, or be the SHA-256 of it.';
      failures.push({ path: 'secretHash', code: 'not_allowed', message });
    }
    if (hash !== undefined && (await lookup.isSecretTaken(hash, textOf(id)))) {
      const path = secret === undefined ? 'secretHash' : 'secret';
      failures.push({ path, code: 'duplicate', message: 'Must be unique: another key has the same secret.' });
    }
    return { failures };
  },

  cmsModel: async (record, lookup) => {
    const warnings: Issue[] = [];
    for (const { path, value } of valuesAt(record, 'fields[].relation.to')) {
      if (typeof value !== 'string' || !value.startsWith('cms:')) continue;
      if (await lookup.has('cmsModel', value.slice('cms:'.length))) continue;
      warnings.push({
        path,
        code: 'not_found',
        message: `Must be a database of the workspace; there is no ${value} yet.`,
      });
    }
    return { warnings };
  },

  cmsEntry: async (record, lookup) => {
    const { modelId, values } = record;
    const failures = scheduleIssues(record);
    if (typeof modelId !== 'string' || lookup.isMalformed(modelId)) return { failures };
    const model = await lookup.model(modelId);
    if (model) return { failures, warnings: isObject(values) ? await absentTargets(values, model, lookup) : [] };
    const message = 'Must be the id of a database of the workspace.';
    return { failures: [...failures, { path: 'modelId', code: 'not_found', message }] };
  },

  menuProduct: async (record) => ({ failures: scheduleIssues(record) }),

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

  agent: async ({ databases, model }, lookup) => {
    const named = Array.isArray(databases) ? databases.filter((id) => typeof id === 'string') : [];
    const absent = await Promise.all(named.map(async (id) => !(await lookup.has('cmsModel', id))));
    const warnings = named.flatMap((id, index): Issue[] => {
      const message = `Must be the id of a database of the workspace; there is no ${id} yet.`;
      return absent[index] ? [{ path: `databases.${index}`, code: 'not_found', message }] : [];
    });
    return { failures: modelIssues(model), warnings };
  },

  /** Patterns that cannot be matched in linear time (lib/spec/decisions.md section 5). */
  form: async (record) => {
    const patterns = valuesAt(record, 'fields[].validations.pattern').filter(({ value }) => typeof value === 'string');
    if (patterns.length === 0) return {};
    // Few records are forms with patterns, and the engine is large.
    const { compilePattern } = await import('#lib/patterns/compile.ts');
    const failures = patterns.flatMap(({ path, value }): Issue[] => {
      const compiled = compilePattern(textOf(value));
      return 'refusal' in compiled ? [{ path, code: 'pattern', message: compiled.refusal }] : [];
    });
    return { failures };
  },

  notification: async (record) => ({ failures: notificationIssues(record) }),

  webhook: async ({ url, types }) => {
    const unknown = (Array.isArray(types) ? types : []).flatMap((type, index): Issue[] =>
      typeof type === 'string' && !isSelector(type)
        ? [{ path: `types.${index}`, code: 'not_allowed', message: typeRule }]
        : [],
    );
    const fault = typeof url === 'string' ? urlFault(url) : undefined;
    return { failures: [...(fault ? [{ path: 'url', ...fault }] : []), ...unknown] };
  },

  attachment: async ({ s3Key }, { workspaceId }) => {
    if (typeof s3Key !== 'string' || workspaceId === undefined || isKeyOfWorkspace(s3Key, workspaceId)) return {};
    const message = `Must lie in the workspace's own part: workspaces/${workspaceId}/.`;
    return { failures: [{ path: 's3Key', code: 'not_allowed', message }] };
  },
};

const typeRule = 'Must be a type of event such as menu_product.updated, or all of a kind such as menu_product.*.';

/** The operator pays for the model. A stored agent keeps one that is not allowed any more; its replies fail. */
function modelIssues(model: unknown): Issue[] {
  if (typeof model !== 'string' || allowsModel(model, modelChoice())) return [];
  const message = 'Must be a model that the operator of the service allows.';
  return [{ path: 'model', code: 'not_allowed', message, isNewer: true }];
}
