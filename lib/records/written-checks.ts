import { allowsModel, modelChoice } from '#lib/ai/model-choice.ts';
import { type Issue, isObject, textOf } from '#lib/domain/input.ts';
import { notificationIssues } from '#lib/domain/messaging/notification.ts';
import { scheduleIssues } from '#lib/domain/schedule-shape.ts';
import { absentTargets } from './entry-values.ts';
import type { Checks } from './record-lookup.ts';
import { valuesAt } from './values-at.ts';

/** The rules of the kinds that callers write, beyond shape, languages and references. */
export const writtenChecks = {
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

  agent: async ({ model }) => ({ failures: modelIssues(model) }),

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
} satisfies Checks;

/** The operator pays for the model. A stored agent keeps one that is not allowed any more; its replies fail. */
function modelIssues(model: unknown): Issue[] {
  if (typeof model !== 'string' || allowsModel(model, modelChoice())) return [];
  const message = 'Must be a model that the operator of the service allows.';
  return [{ path: 'model', code: 'not_allowed', message, isNewer: true }];
}
