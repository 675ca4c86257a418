import { Image } from '../files/image.ts';
import { isObject, type JsonObject, ownValue } from '../input.ts';
import { hasShapeOf } from '../stored-shape.ts';
import type { CmsEntry } from './cms-entry.ts';
import type { Model } from './cms-model.ts';

/**
 * A stored entry in the form of a document (lib/spec/workspace-document.md section 4), with one value for every field.
 * @param languages the languages of the workspace; texts in others are left out
 */
export function exportedEntry(
  { id, modelId, published, publishAt, unpublishAt, createdAt, updatedAt, values: stored }: CmsEntry,
  model: Model,
  languages: readonly string[],
): JsonObject {
  const exported = model.fields.map((field) => [
    field.key,
    exportedValue(field, ownValue(stored, field.key), languages),
  ]);
  const values = Object.fromEntries(exported);
  return { id, modelId, published, publishAt, unpublishAt, createdAt, updatedAt, values };
}

/** Exports null for a value of another type, as readers see it. An import may have changed the type of the field. */
function exportedValue(field: Model['fields'][number], value: unknown, languages: readonly string[]): unknown {
  if (value === undefined || value === null || !hasShapeOf(field, value)) return null;
  if (field.type === 'json') return JSON.parse(String(value));
  if (field.type === 'media') return Array.isArray(value) ? value.map(imageIn(languages)) : imageIn(languages)(value);
  if (!field.localized || !isObject(value)) return value;
  const texts = members(value, languages);
  return Object.keys(texts).length === 0 ? null : texts;
}

/** The table does not keep the order of members. A fixed order gives equal content equal text. */
const members = (value: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(value, name)).map((name) => [name, value[name]]));

const imageIn = (languages: readonly string[]) => (value: unknown) => {
  if (!isObject(value)) return value;
  const image = members(value, Object.keys(Image.shape));
  return isObject(image['alt']) ? { ...image, alt: members(image['alt'], languages) } : image;
};
