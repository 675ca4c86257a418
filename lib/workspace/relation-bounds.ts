import { relatingFields } from '#lib/domain/cms/product-relation.ts';
import type { Issue } from '#lib/domain/issue.ts';
import type { DocumentLookup } from './document-lookup.ts';

/** An item holds 400 KB. The rest is for the chunks that the directory lists. */
const directoryKilobytesMax = 200;

/**
 * An issue if the directory of relations to products would exceed one item. It covers all databases, including stored
 * ones that are missing from the document.
 */
export async function relationBounds(lookup: DocumentLookup): Promise<Issue[]> {
  if (!lookup.index.counts.has('cmsModel')) return [];
  let bytes = 0;
  for await (const model of lookup.models()) {
    const fields = relatingFields(model);
    if (fields.length > 0) bytes += Buffer.byteLength(JSON.stringify({ [model.id]: { fields, chunks: [] } }));
  }
  const kilobytes = Math.ceil(bytes / 1_024);
  if (kilobytes <= directoryKilobytesMax) return [];
  const message = `Must relate to products in fewer fields: all of them take ${kilobytes} KB of at most ${directoryKilobytesMax} to list.`;
  return [{ path: 'cms.models', code: 'too_large', message }];
}
