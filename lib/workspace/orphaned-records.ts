import type { Finding } from './document-item.ts';
import type { DocumentLookup } from './document-lookup.ts';

/** The records that must have a parent (lib/spec/workspace-document.md section 2; lib/spec/additions.md section 2, deleting). */
const children = {
  menuProduct: [{ parent: 'menuCategory', path: 'categoryId', preposition: 'in', name: 'in a category' }],
  conversation: [
    { parent: 'channel', path: 'channelId', preposition: 'on', name: 'on a channel' },
    { parent: 'customer', path: 'customerId', preposition: 'with', name: 'with a customer' },
  ],
} as const;

/** Finds stored products and conversations whose category, channel or customer the import would remove. */
export async function orphanedRecords(lookup: DocumentLookup): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const kind of ['menuProduct', 'conversation'] as const) {
    const references = children[kind].filter(({ parent }) => lookup.isPruned(parent));
    if (references.length === 0) continue;
    for await (const record of lookup.remaining(kind)) {
      for (const { parent, path, preposition, name } of references) {
        const parentId = record[path];
        if (typeof parentId !== 'string' || !(await lookup.isRemoved(parent, parentId))) continue;
        const noun = kind === 'conversation' ? kind : 'product';
        const message = `Must be ${name} that stays: the stored ${noun} is ${preposition} ${parentId}, which is to be removed.`;
        findings.push({ kind, id: record.id, path, code: 'not_found', message, ...atStored });
      }
    }
  }
  return findings;
}

/** The location of findings about stored records. */
export const storedLocation = 'stored';

/** Places these findings after those of the document. */
export const atStored = { location: storedLocation, position: Number.MAX_SAFE_INTEGER } as const;
