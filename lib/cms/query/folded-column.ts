import type { Scalar } from '#lib/domain/cms/cells.ts';
import { foldText } from '#lib/domain/text/folded-text.ts';
import type { ColumnStore } from '#lib/table/cms/column-store.ts';
import { textBytes } from '#lib/table/memory/container-memory.ts';
import { derivedByName } from './derived-by-name.ts';
import { textOf } from './field-reference.ts';

/** The folded values of a column in one text. A search reads this memory in order, not string by string. */
export interface FoldedColumn {
  readonly text: string;
  /** Start of each value by its code, and the end of the last value. Code 0 has no value. */
  readonly starts: Uint32Array;
}

/** A soft hyphen: folding removes it, so no match goes beyond one value. */
const separator = '\u00ad';

export const foldedColumnOf = derivedByName(
  (store: ColumnStore, column: string): FoldedColumn => {
    const values = (store.column(column)?.values ?? []).slice(1) as readonly Scalar[];
    return foldedColumn(values.map((value) => foldText(textOf(value))));
  },
  { bytes: ({ text, starts }) => textBytes(text) + starts.byteLength, most: 100 },
);

/** @param folded the folded values, from code 1 */
export function foldedColumn(folded: readonly string[]): FoldedColumn {
  const starts = new Uint32Array(folded.length + 2);
  for (const [index, { length }] of folded.entries()) {
    starts[index + 2] = (starts[index + 1] ?? 0) + length + separator.length;
  }
  return { text: folded.join(separator), starts };
}

/** @returns 1 at the code of each value that contains the folded piece */
export function codesContaining({ text, starts }: FoldedColumn, piece: string): Uint8Array {
  const codes = new Uint8Array(starts.length - 1);
  for (let code = 1, at = 0; code < codes.length; code++) {
    at = text.indexOf(piece, Math.max(at, starts[code] ?? 0));
    if (at === -1) break;
    while (code + 1 < codes.length && (starts[code + 1] ?? 0) <= at) code++;
    codes[code] = 1;
    at = starts[code + 1] ?? 0;
  }
  return codes;
}
