import { travelBytes } from '#lib/domain/answer-size.ts';
import type { Field } from '#lib/domain/cms/cms-model.ts';
import type { Image } from '#lib/domain/files/image.ts';
import { ownValue } from '#lib/domain/input.ts';
import type { MenuProduct } from '#lib/domain/menu/menu-records.ts';
import { shownTexts } from '#lib/domain/menu/menu-texts.ts';
import { type ProductNeighbours, productView } from '#lib/domain/menu/product-view.ts';
import { hasShapeOf } from '#lib/domain/stored-shape.ts';
import { inLocale, type RenderOptions, renderKey, textIn } from '#lib/domain/text/locale.ts';
import type { Localized } from '#lib/domain/text/localized.ts';
import type { StoredEntry } from '#lib/table/cms/stored-entry.ts';
import { containerMemory } from '#lib/table/memory/container-memory.ts';
import type { Column, EntrySelection, ProductSelection, Selection } from './selection.ts';

/** A relation inside a fragment: its targets, and their shown fields. */
export interface Relation {
  readonly ids: readonly string[];
  readonly many: boolean;
  readonly selection: Selection;
}

/** The JSON text of an entry or product, in pieces between its relations. All its occurrences share it. */
export interface Fragment {
  readonly pieces: readonly (string | Relation)[];
  /** The size of the text pieces alone. */
  readonly bytes: number;
  /** True for an expanded relation. A stub shows only an id. */
  readonly expanded: boolean;
}

/** The stub of a related record that is not looked up. */
export const stubText = (id: string): string => JSON.stringify({ id });

export const stub = (id: string): Fragment => fragment([stubText(id)], false);

interface Rendered {
  readonly selection: EntrySelection;
  readonly renderKey: string;
  readonly fragment: Fragment;
}

/** The last fragments of each entry, newest first. Their size counts with the cached entry. */
const entryFragments = new WeakMap<StoredEntry, readonly Rendered[]>();
/** A website has few kinds of pages, some in several languages. */
const renderedMax = 4;

export function entryFragment(entry: StoredEntry, selection: EntrySelection, renderOptions: RenderOptions): Fragment {
  const renderings = entryFragments.get(entry) ?? [];
  const key = renderKey(renderOptions);
  const cached = renderings.find((rendered) => rendered.selection === selection && rendered.renderKey === key);
  if (cached) return cached.fragment;
  const fragment = newEntryFragment(entry, selection, renderOptions);
  entryFragments.set(entry, [{ selection, renderKey: key, fragment }, ...renderings.slice(0, renderedMax - 1)]);
  const dropped = renderings[renderedMax - 1];
  containerMemory.addBytes(entry, weightOf(fragment) - (dropped ? weightOf(dropped.fragment) : 0));
  return fragment;
}

/** Two bytes per character, and an object per relation. */
const weightOf = ({ bytes, pieces }: Fragment): number => 2 * bytes + 200 * pieces.length;

function newEntryFragment(entry: StoredEntry, { columns }: EntrySelection, renderOptions: RenderOptions): Fragment {
  const pieces: (string | Relation)[] = [];
  let text = '{';
  for (const [index, column] of columns.entries()) {
    text += `${index === 0 ? '' : ','}${JSON.stringify(nameOf(column))}:`;
    const value = columnValue(entry, column, renderOptions);
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
  renderOptions: RenderOptions,
): Fragment {
  const shown = Object.entries(productView(product, neighbours)).filter(([name]) => members.has(name));
  const view = Object.fromEntries(shown);
  return fragment([JSON.stringify(inLocale(view, shownTexts, renderOptions))], true);
}

function fragment(pieces: readonly (string | Relation)[], expanded: boolean): Fragment {
  const bytes = pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? travelBytes(piece) : 0), 0);
  return { pieces, bytes, expanded };
}

const nameOf = (column: Column): string => ('system' in column ? column.system : column.field.key);

function columnValue(entry: StoredEntry, column: Column, renderOptions: RenderOptions): string | Relation {
  if ('system' in column) return JSON.stringify(entry[column.system]);
  const { field, related } = column;
  const stored = ownValue(entry.values, field.key) ?? null;
  const value = stored !== null && hasShapeOf(field, stored) ? stored : null;
  if (!related) return valueText(field, value, renderOptions);
  const many = field.relation?.many ?? false;
  if (many) return { ids: (value ?? []) as string[], many, selection: related() };
  return value === null ? 'null' : { ids: [value as string], many, selection: related() };
}

/**
 * A field without a value is null. The stored text of a JSON field is already JSON (lib/spec/decisions.md section 3).
 */
function valueText({ type, localized }: Field, value: unknown, renderOptions: RenderOptions): string {
  if (value === null) return 'null';
  if (type === 'json') return value as string;
  if (type === 'media') {
    const shown = (image: Image) => inLocale(inOrder(image), ['alt'], renderOptions);
    return JSON.stringify(Array.isArray(value) ? value.map(shown) : shown(value as Image));
  }
  if (!localized) return JSON.stringify(value);
  const texts = value as Readonly<Record<string, unknown>>;
  const { languages, locale } = renderOptions;
  if (locale) return JSON.stringify(textIn(value as Localized, locale));
  const present = languages.filter((language) => typeof ownValue(texts, language) === 'string');
  return present.length === 0 ? 'null' : JSON.stringify(Object.fromEntries(present.map((name) => [name, texts[name]])));
}

/** The table does not keep the order of properties; a response has the documented order. */
const inOrder = ({ id, url, alt, width, height }: Image): Image => ({ id, url, alt, width, height });
