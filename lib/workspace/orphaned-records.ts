import type { Finding } from './document-item.ts';
import type { DocumentLookup } from './document-lookup.ts';

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
    findings.push({ kind: 'menuProduct', id, ...atStored, ...issue });
  }
  return findings;
}

const parents = [
  { kind: 'channel', path: 'channelId', name: 'on a channel', preposition: 'on' },
  { kind: 'customer', path: 'customerId', name: 'with a customer', preposition: 'with' },
] as const;

/**
 * Finds stored conversations whose channel or customer the import would remove. The service does not remove those
 * either (lib/spec/additions.md section 2, deleting).
 */
export async function orphanedConversations(lookup: DocumentLookup): Promise<Finding[]> {
  const removed = parents.filter(({ kind }) => lookup.isPruned(kind));
  if (removed.length === 0) return [];
  const findings: Finding[] = [];
  for await (const conversation of lookup.remainingConversations()) {
    for (const { kind, path, name, preposition } of removed) {
      const parentId = conversation[path];
      if (parentId === null || !(await lookup.isRemoved(kind, parentId))) continue;
      const message = `Must be ${name} that stays: the stored conversation is ${preposition} ${parentId}, which is to be removed.`;
      findings.push({ kind: 'conversation', id: conversation.id, path, code: 'not_found', message, ...atStored });
    }
  }
  return findings;
}

/** The location of findings about stored records. */
export const storedLocation = 'stored';

/** Places these findings after those of the document. */
export const atStored = { location: storedLocation, position: Number.MAX_SAFE_INTEGER } as const;
