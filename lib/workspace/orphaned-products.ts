import type { Finding } from './finding.ts';
import type { KnownRecords } from './known-records.ts';

/**
 * The category of a product must exist (lib/spec/workspace-document.md section 2), also that of a stored one which the
 * document does not name: where categories are pruned and products are not, each of them would lose its own.
 */
export async function orphanedProducts(known: KnownRecords): Promise<Finding[]> {
  if (!known.isPruned('menuCategory')) return [];
  const findings: Finding[] = [];
  for (const { id, categoryId } of await known.productsLeft()) {
    if (await known.has('menuCategory', categoryId)) continue;
    const message = `Must be in a category that stays: the stored product is in ${categoryId}, which is to be removed.`;
    const issue = { path: 'categoryId', code: 'not_found', message } as const;
    findings.push({ kind: 'menuProduct', id, place: 'stored', position: Number.MAX_SAFE_INTEGER, ...issue });
  }
  return findings;
}
