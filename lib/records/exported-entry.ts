import type { CmsEntry } from '#lib/domain/cms/cms-entry.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { ownValue } from '#lib/domain/cms/cms-values.ts';
import { Image } from '#lib/domain/files/image.ts';
import { hasShapeOf } from '#lib/domain/stored-shape.ts';
import type { JsonObject } from './json-object.ts';

/** A stored entry as a document has it (lib/spec/workspace-document.md section 4), with one value for every field. */
export function exportedEntry(
  { id, modelId, published, createdAt, updatedAt, values }: CmsEntry,
  model: Model,
  languages: readonly string[],
): JsonObject {
  const order = [...Object.keys(Image.shape), ...languages];
  const exported = model.fields.map((field) => [field.key, exportedValue(field, ownValue(values, field.key), order)]);
  return { id, modelId, published, createdAt, updatedAt, values: Object.fromEntries(exported) };
}

/** Exports null for a value of another type, as readers see it. An import may have changed the type of the field. */
function exportedValue(field: Model['fields'][number], value: unknown, order: readonly string[]): unknown {
  if (value === undefined || value === null || !hasShapeOf(field, value)) return null;
  if (field.type === 'json') return JSON.parse(String(value));
  return field.localized && Object.keys(value).length === 0 ? null : inOrder(value, order);
}

/** The table does not keep the order of members. A fixed order gives equal content equal text. */
function inOrder(value: unknown, order: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => inOrder(item, order));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, inOrder(member, order)] as const);
  return Object.fromEntries(members.toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b)));
}
