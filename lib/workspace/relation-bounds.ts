import type { Issue } from '#lib/domain/issue.ts';
import { relatingFields } from '#lib/domain/product-relation.ts';
import type { KnownRecords } from './known-records.ts';

/** An item holds 400 KB; the rest is for the parts that the directory names. */
const directoryKilobytesMax = 200;

/**
 * What the directory of relations to products has to say of all databases must fit into one item, whichever of them the
 * document brings.
 */
export async function relationBounds(known: KnownRecords): Promise<Issue[]> {
  if (!known.index.counts.has('cmsModel')) return [];
  let bytes = 0;
  for await (const model of known.models()) {
    const fields = relatingFields(model);
    if (fields.length > 0) bytes += Buffer.byteLength(JSON.stringify({ [model.id]: { fields, chunks: [] } }));
  }
  const kilobytes = Math.ceil(bytes / 1_024);
  if (kilobytes <= directoryKilobytesMax) return [];
  const message = `Must relate to products in fewer fields: all of them take ${kilobytes} KB of at most ${directoryKilobytesMax} to list.`;
  return [{ path: 'cms.models', code: 'too_large', message }];
}
