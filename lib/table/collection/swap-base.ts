import { randomUUID } from 'node:crypto';
import { ConditionFailed } from '../errors.ts';
import type { Table } from '../table.ts';
import { type CollectionHead, type CollectionScope, headKey } from './head.ts';
import { type PartItem, partItem } from './parts.ts';

/** The next base of a collection. */
export interface NextBase {
  /** The parts that are not stored yet. @default none */
  readonly unstored?: readonly PartItem[];
  /** The content of the directory. */
  readonly content: object;
  /** Further attributes of the head that describe the rows. */
  readonly fields: Readonly<Record<string, string | number>>;
  /** The log items that the rows include. */
  readonly consumed: readonly string[];
  /** The parts that only the previous base uses. The next swap removes them. */
  readonly former: readonly string[];
}

interface Swap {
  readonly table: Table;
  readonly scope: CollectionScope;
  /** The head from which the rows were made. */
  readonly before: CollectionHead | undefined;
  readonly next: NextBase;
  /** Whether the swap must fail while an import writes to the collection. */
  readonly unlessImporting: boolean;
}

/**
 * Makes rows the base of a collection: it stores the parts, then updates the head in one step. Only another swap, or an
 * import, can make it fail; changes of records cannot.
 * @returns the id of the directory
 * @throws ConditionFailed when another writer has replaced the base
 */
export async function swapBase({ table, scope, before, next, unlessImporting }: Swap): Promise<string> {
  const { unstored = [], content, fields, consumed, former } = next;
  const directory = partItem(scope, JSON.stringify({ ...content, consumed, former }));
  await table.write([...unstored, directory].map((part) => ({ put: part })));
  const set = { ...fields, base: randomUUID(), directory: directory.partId };
  try {
    await table.update(headKey(scope), {
      ...headUpdate(before, set, { foldsLog: true, unlessImporting }),
      ReturnValues: 'NONE',
    });
  } catch (error) {
    // The client repeats an update whose reply was lost. The retry then finds its own base.
    if (!(error instanceof ConditionFailed) || error.item?.['base'] !== set.base) throw error;
  }
  return directory.partId;
}

/**
 * The update that gives the head another base, on condition that the previous base is still current.
 * @param foldsLog whether the new base includes the logged changes
 */
export function headUpdate(
  before: CollectionHead | undefined,
  fields: { readonly base: string } & Readonly<Record<string, string | number>>,
  { foldsLog, unlessImporting }: { readonly foldsLog: boolean; readonly unlessImporting: boolean },
) {
  const set: Readonly<Record<string, string | number>> = { ...fields, since: Date.now() };
  const names = Object.keys(set);
  const baseVersion = foldsLog
    ? '#baseVersion = if_not_exists(#version, :zero), #baseCells = if_not_exists(#cells, :zero), '
    : '';
  const isBase = before?.base === undefined ? 'attribute_not_exists(#base)' : '#base = :before';
  return {
    UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}, ${baseVersion}#born = if_not_exists(#born, :base) ADD #version :one`,
    ConditionExpression: unlessImporting ? `${isBase} AND attribute_not_exists(#import)` : isBase,
    ExpressionAttributeNames: {
      ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ...(foldsLog && { '#baseVersion': 'baseVersion', '#baseCells': 'baseCells', '#cells': 'cells' }),
      '#version': 'version',
      '#born': 'born',
      ...(unlessImporting && { '#import': 'import' }),
    },
    ExpressionAttributeValues: {
      ...Object.fromEntries(Object.entries(set).map(([name, value]) => [`:${name}`, value])),
      ...(foldsLog && { ':zero': 0 }),
      ':one': 1,
      ...(before?.base !== undefined && { ':before': before.base }),
    },
  };
}
