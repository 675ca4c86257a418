import type { Field } from './cms-model.ts';

/** Whether a changed path of an entry leads into one of these fields. */
export const leadsInto = (keys: readonly string[], path: string): boolean => {
  const [members, key = ''] = path.split('.');
  return members === 'values' && keys.includes(key);
};

/** The keys of the fields that only some callers see. */
export const hiddenFields = ({ fields }: { readonly fields: readonly Pick<Field, 'key' | 'hidden'>[] }): string[] =>
  fields.filter(({ hidden }) => hidden).map(({ key }) => key);
