import type { Issue } from '#lib/domain/issue.ts';
import type { JsonObject } from '#lib/domain/json-object.ts';
import type { MenuCategory } from '#lib/domain/menu/menu-category.ts';
import type { MenuProduct } from '#lib/domain/menu/menu-product.ts';
import { categoryRow, categoryTuple, productRow, productTuple } from '#lib/domain/menu/menu-row.ts';
import { recordBytesMax, recordSizeIssues, storedBytes } from '#lib/domain/stored-size.ts';
import type { Kind } from '#lib/kinds/kinds.ts';

/** An index row contains a name twice: unchanged and folded. Folding may lengthen a character eleven times. */
const growthMax = 13;

/** An issue if the record or its index row exceeds the maximum size of an item (lib/spec/decisions.md section 1). */
export function sizeIssues(kind: Kind, record: JsonObject): Issue[] {
  // Entries are stored as attributes, all other kinds as JSON text.
  const bytes = kind === 'cmsEntry' ? storedBytes(record) : Buffer.byteLength(JSON.stringify(record));
  if (bytes > recordBytesMax) return recordSizeIssues(bytes);
  const row = bytes * growthMax > recordBytesMax ? rowOf(kind, record) : undefined;
  const rowBytes = row === undefined ? 0 : Buffer.byteLength(JSON.stringify(row));
  if (rowBytes <= recordBytesMax) return [];
  const message = `Must be shorter: for lists it is stored folded, too, which takes ${kilobytes(rowBytes)} KB of at most 350.`;
  return [{ path: 'name', code: 'too_large', message }];
}

/** The row of a record in the menu index. */
function rowOf(kind: Kind, record: JsonObject): readonly unknown[] | undefined {
  if (kind === 'menuProduct') return productTuple(productRow(record as unknown as MenuProduct, ''));
  return kind === 'menuCategory' ? categoryTuple(categoryRow(record as unknown as MenuCategory, '')) : undefined;
}

const kilobytes = (bytes: number): number => Math.ceil(bytes / 1_024);
