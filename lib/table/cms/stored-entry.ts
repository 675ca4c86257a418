import type { Model } from '#lib/domain/cms/cms-model.ts';
import { ownValue } from '#lib/domain/input.ts';
import type { Scheduled } from '#lib/domain/schedule.ts';
import type { Item } from '../table.ts';

/** The item of an entry; `values` has the shapes of lib/domain/cms/cms-values.ts. */
export interface StoredEntry extends Item, Scheduled {
  readonly id: string;
  readonly modelId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly values: Readonly<Record<string, unknown>>;
  /** Changes with every accepted update; it is the entry's ETag. */
  readonly revision: string;
  /** Absent if an import made the last change. */
  readonly editedAt?: string;
}

/** An entry in the form of a document. A field that is newer than the entry has no value. */
export function storedContent({ revision, editedAt, ...content }: StoredEntry, model: Model): object {
  return { ...content, values: { ...storedValues({}, model), ...content.values } };
}

/** Every localized field is stored as an object, so that an update finds a parent for its languages. */
export function storedValues(values: Readonly<Record<string, unknown>>, { fields }: Model): Record<string, unknown> {
  return Object.fromEntries(
    fields.map(({ key, localized }) => [key, ownValue(values, key) ?? (localized ? {} : null)] as const),
  );
}
