import type { Model } from '#lib/domain/cms/cms-model.ts';
import { ownValue } from '#lib/domain/cms/cms-values.ts';
import type { StoredEntry } from './stored-entry.ts';

/** An entry in the form of a document. A field that is newer than the entry has no value. */
export function storedContent(
  { revision, rowRevision, editedAt, writes, ...content }: StoredEntry,
  model: Model,
): object {
  return { ...content, values: { ...storedValues({}, model), ...content.values } };
}

/** Every localized field is stored as an object, so that an update finds a parent for its languages. */
export function storedValues(values: Readonly<Record<string, unknown>>, { fields }: Model): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ key, localized }) => [key, ownValue(values, key) ?? (localized ? {} : null)] as const),
  );
}
