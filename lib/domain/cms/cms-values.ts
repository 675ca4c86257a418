import { isBlank } from '../text/blank.ts';
import type { Field } from './cms-model.ts';
import { type CheckedValue, valueRules } from './cms-value-types.ts';

/**
 * Checks one value of a CMS field, for updates and imports (lib/spec/decisions.md section 3, "PATCH and PUT"). The
 * paths of issues are '' or a language. `null` clears a field or a language, and stays in the result. The caller checks
 * that related records exist, and calls `hasValue`, because a localized value is merged into the stored one.
 */
export function checkValue(field: Field, value: unknown, languages: readonly string[]): CheckedValue {
  if (value === null) return { value };
  if (field.localized) return valueRules.localized(value, { field, languages });
  return valueRules[field.type](value, { field, languages });
}

/**
 * True if a stored value satisfies a required field (lib/spec/decisions.md section 3). Blank text, `[]` and texts that
 * are blank in every language do not; 0 and false do.
 */
export function hasValue(field: Field, value: unknown): boolean {
  if (value === null || value === undefined || isEmpty(value)) return false;
  if (field.type === 'json') return !isEmpty(JSON.parse(String(value)));
  if (!field.localized || typeof value !== 'object') return true;
  return Object.values(value).some((text) => typeof text === 'string' && !isBlank(text));
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'string' ? isBlank(value) : Array.isArray(value) && value.length === 0;
