import { travelBytes } from '#lib/domain/answer-size.ts';
import type { Field } from '#lib/domain/cms-model.ts';
import { ownValue } from '#lib/domain/cms-values.ts';
import type { Image } from '#lib/domain/image.ts';
import type { MenuProduct } from '#lib/domain/menu-product.ts';
import { type ProductNeighbours, productView } from '#lib/domain/product-view.ts';
import { hasShapeOf } from '#lib/domain/stored-shape.ts';
import { containerMemory } from '#lib/table/memory/container-memory.ts';
import type { StoredEntry } from '#lib/table/stored-entry.ts';
import type { Column, EntrySelection, ProductSelection, Selection } from './selection.ts';

/** A relation inside a fragment: what it points to, and what of it is shown. */
export interface Relation {
  readonly ids: readonly string[];
  readonly many: boolean;
  readonly selection: Selection;
}

/** An entry or product as a selection shows it: JSON text with relations in between, shared by all its places. */
export interface Fragment {
  readonly pieces: readonly (string | Relation)[];
  /** Of the text pieces alone. */
  readonly bytes: number;
  /** Whether it counts as expanded: a stub, which shows an id and nothing else, does not. */
  readonly expanded: boolean;
}

/** What stands for a related record that is not looked up. */
export const stubText = (id: string): string => JSON.stringify({ id });

export const stub = (id: string): Fragment => fragment([stubText(id)], false);

/** The rendered fragment of each entry, for the selection used last; it is weighed with the cached entry. */
const entryFragments = new WeakMap<StoredEntry, { readonly selection: EntrySelection; readonly fragment: Fragment }>();

/** @param languages the workspace's, in whose order localized texts are written; a selection belongs to one workspace */
export function entryFragment(entry: StoredEntry, selection: EntrySelection, languages: readonly string[]): Fragment {
  const before = entryFragments.get(entry);
  if (before?.selection === selection) return before.fragment;
  const made = newEntryFragment(entry, selection, languages);
  entryFragments.set(entry, { selection, fragment: made });
  containerMemory.addBytes(entry, weightOf(made) - (before ? weightOf(before.fragment) : 0));
  return made;
}

/** Two bytes a character, and an object for each relation. */
const weightOf = ({ bytes, pieces }: Fragment): number => 2 * bytes + 200 * pieces.length;

function newEntryFragment(entry: StoredEntry, { columns }: EntrySelection, languages: readonly string[]): Fragment {
  const pieces: (string | Relation)[] = [];
  let text = '{';
  for (const [index, column] of columns.entries()) {
    text += `${index === 0 ? '' : ','}${JSON.stringify(nameOf(column))}:`;
    const value = columnValue(entry, column, languages);
    if (typeof value === 'string') text += value;
    else {
      pieces.push(text, value);
      text = '';
    }
  }
  return fragment([...pieces, `${text}}`], true);
}

export function productFragment(
  product: MenuProduct,
  neighbours: ProductNeighbours,
  { members }: ProductSelection,
): Fragment {
  const shown = Object.entries(productView(product, neighbours)).filter(([name]) => members.has(name));
  return fragment([JSON.stringify(Object.fromEntries(shown))], true);
}

function fragment(pieces: readonly (string | Relation)[], expanded: boolean): Fragment {
  const bytes = pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? travelBytes(piece) : 0), 0);
  return { pieces, bytes, expanded };
}

const nameOf = (column: Column): string => ('system' in column ? column.system : column.field.key);

function columnValue(entry: StoredEntry, column: Column, languages: readonly string[]): string | Relation {
  if ('system' in column) return JSON.stringify(entry[column.system]);
  const { field, related } = column;
  const stored = ownValue(entry.values, field.key) ?? null;
  const value = stored !== null && hasShapeOf(field, stored) ? stored : null;
  if (!related) return valueText(field, value, languages);
  const many = field.relation?.many ?? false;
  if (many) return { ids: (value ?? []) as string[], many, selection: related() };
  return value === null ? 'null' : { ids: [value as string], many, selection: related() };
}

/** A field without a value is null; the text of a json field is JSON already (lib/spec/decisions.md section 3). */
function valueText({ type, localized }: Field, value: unknown, languages: readonly string[]): string {
  if (value === null) return 'null';
  if (type === 'json') return value as string;
  if (type === 'media') return JSON.stringify(Array.isArray(value) ? value.map(inOrder) : inOrder(value as Image));
  if (!localized) return JSON.stringify(value);
  const texts = value as Readonly<Record<string, unknown>>;
  const present = languages.filter((language) => typeof ownValue(texts, language) === 'string');
  return present.length === 0 ? 'null' : JSON.stringify(Object.fromEntries(present.map((name) => [name, texts[name]])));
}

/** The table keeps no order of members; an answer has the documented one. */
const inOrder = ({ id, url, alt, width, height }: Image): Image => ({ id, url, alt, width, height });
