import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import { relatedModelId } from '#lib/domain/cms/field-names.ts';

/** Types that all databases share. */
const common = `/** A text by language code. */
export type Localized = { readonly [language: string]: string };

export interface Image {
  readonly id: string;
  readonly url: string;
  readonly alt: Localized | null;
  readonly width: number | null;
  readonly height: number | null;
}

/** The target of a relation: all of it, or beyond \`maxDepth\` its id alone. */
export type Related<Target> = Target | { readonly id: string };

/** A product as an entry shows it. */
export type RelatedProduct = { readonly id: string; readonly [member: string]: unknown };
`;

/** TypeScript types of a workspace's CMS databases, for \`WorkspaceClient<Databases>\`. */
export function databaseTypes(models: readonly Model[]): string {
  const names = typeNames(models);
  const interfaces = models.map((model) => interfaceOf(model, names));
  const databases = models.map(({ id }) => `  readonly ${JSON.stringify(id)}: ${names.get(id)};`);
  return [common, ...interfaces, `export interface Databases {\n${databases.join('\n')}\n}\n`].join('\n');
}

/** A unique TypeScript name per database. Two ids may differ only in `-` and `_`. */
function typeNames(models: readonly Model[]): ReadonlyMap<string, string> {
  const usedNames = new Set(['Localized', 'Image', 'Related', 'RelatedProduct', 'Databases']);
  const names = new Map<string, string>();
  for (const { id } of models) {
    const words = id.split(/[^A-Za-z0-9]+/).filter(Boolean);
    const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
    const start = /^[A-Za-z]/.test(name) ? name : `Database${name}`;
    let unique = start;
    for (let count = 2; usedNames.has(unique); count++) unique = `${start}${count}`;
    usedNames.add(unique);
    names.set(id, unique);
  }
  return names;
}

function interfaceOf({ id, fields }: Model, names: ReadonlyMap<string, string>): string {
  const members = fields.map((field) => {
    const mark = field.hidden ? '?' : '';
    return `  readonly ${field.key}${mark}: ${typeOf(field, names)};`;
  });
  const system = ['id: string', 'published: boolean', 'createdAt: string', 'updatedAt: string'];
  const lines = [...system.map((member) => `  readonly ${member};`), ...members];
  return `/** An entry of \`${id}\`; \`fields\` may leave out all but its id. */\nexport interface ${names.get(id)} {\n${lines.join('\n')}\n}\n`;
}

function typeOf(field: Field, names: ReadonlyMap<string, string>): string {
  const { type, localized, many } = field;
  if (type === 'relation') return relationType(field, names);
  if (type === 'media') return many ? 'readonly Image[] | null' : 'Image | null';
  if (type === 'select') return `${choices(field)} | null`;
  if (type === 'multiSelect') return `readonly (${choices(field)})[] | null`;
  if (type === 'number') return 'number | null';
  if (type === 'boolean') return 'boolean | null';
  if (type === 'json') return 'unknown';
  return localized ? 'Localized | null' : 'string | null';
}

const choices = ({ options = [] }: Field): string =>
  options.map(({ value }) => JSON.stringify(value)).join(' | ') || 'string';

function relationType({ relation }: Field, names: ReadonlyMap<string, string>): string {
  if (!relation) return 'unknown';
  const modelId = relatedModelId(relation);
  const target =
    modelId === undefined ? 'RelatedProduct' : `Related<${names.get(modelId) ?? '{ readonly id: string }'}>`;
  return relation.many ? `readonly ${target}[]` : `${target} | null`;
}
