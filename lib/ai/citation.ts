import { foldText } from '#lib/domain/text/folded-text.ts';

/** A record that a reply was made from, as it is stored on the message (lib/spec/decisions.md section 7). */
export type Citation =
  | { readonly kind: 'product' | 'category' | 'form'; readonly id: string }
  | { readonly kind: 'entry'; readonly modelId: string; readonly id: string };

/** A record that a tool has shown to a model, and what a reply may call it. */
export interface Source {
  readonly citation: Citation;
  readonly names: readonly string[];
}

/**
 * The sources of a reply: the looked-up records that it names. If it names none, all of them, unless `citesNamedOnly`.
 * Each record is listed once, in the order of the look-ups.
 */
export function citationsOf(text: string, sources: readonly Source[], citesNamedOnly = false): Citation[] {
  const named = namesIn(
    text,
    sources.flatMap(({ names }) => names.map(foldName)),
  );
  const used =
    named.size === 0 && !citesNamedOnly
      ? sources
      : sources.filter(({ names }) => names.some((name) => named.has(foldName(name))));
  return [...new Map(used.map(({ citation }) => [JSON.stringify(citation), citation])).values()];
}

const foldName = (name: string): string => foldText(name).trim();

/** The names that occur in a text, other than as a part of longer ones. */
function namesIn(text: string, names: readonly string[]): ReadonlySet<string> {
  let left = foldText(text);
  const found = new Set<string>();
  for (const name of [...new Set(names)].sort((a, b) => b.length - a.length)) {
    if (name === '' || !left.includes(name)) continue;
    found.add(name);
    left = left.replaceAll(name, '\n');
  }
  return found;
}
