import { foldText } from '#lib/domain/text/folded-text.ts';

/** A source of a reply, as stored on the message (lib/spec/decisions.md section 7). */
export type Citation =
  | { readonly kind: 'product' | 'category' | 'form'; readonly id: string }
  | { readonly kind: 'entry'; readonly modelId: string; readonly id: string };

/** A record in the results of a tool, with the names that a reply may use for it. */
export interface Source {
  readonly citation: Citation;
  readonly names: readonly string[];
}

/**
 * The citations of a reply: the looked-up records whose names occur in it. Without any name they are all records,
 * unless `citesNamedOnly` is set. Records are listed without duplicates, in look-up order.
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

/** The names in a text, except as parts of longer names. */
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
