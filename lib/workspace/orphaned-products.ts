import type { DocumentLookup } from './document-lookup.ts';
import type { Finding } from './finding.ts';

/**
 * Finds stored products whose category the import would remove. A product's category must exist
 * (lib/spec/workspace-document.md section 2), also when the document contains categories but no products.
 */
export async function orphanedProducts(lookup: DocumentLookup): Promise<Finding[]> {
  if (!lookup.isPruned('menuCategory')) return [];
  const findings: Finding[] = [];
  for (const { id, categoryId } of await lookup.remainingProducts()) {
    if (await lookup.has('menuCategory', categoryId)) continue;
    const message = `Must be in a category that stays: the stored product is in ${categoryId}, which is to be removed.`;
    const issue = { path: 'categoryId', code: 'not_found', message } as const;
    findings.push({ kind: 'menuProduct', id, place: 'stored', position: Number.MAX_SAFE_INTEGER, ...issue });
  }
  return findings;
}
