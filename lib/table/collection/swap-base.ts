import { randomUUID } from 'node:crypto';
import { ConditionFailed } from '../errors.ts';
import type { Table } from '../table.ts';
import { type CollectionHead, type CollectionScope, headKey } from './head.ts';
import { type PartItem, partItem } from './parts.ts';

/** The rows of the next base of a collection. */
export interface NextBase {
  /** The parts that are not stored yet. */
  readonly fresh: readonly PartItem[];
  /** The content of the directory. */
  readonly content: object;
  /** The attributes of the head that describe the rows. */
  readonly fields: Readonly<Record<string, string | number>>;
  /** The log items that the rows include. */
  readonly consumed: readonly string[];
  /** The parts of the previous base that this one does not use. The next writer removes them. */
  readonly former: readonly string[];
}

interface Swap {
  readonly table: Table;
  readonly scope: CollectionScope;
  /** The head that the rows were made from. */
  readonly before: CollectionHead | undefined;
  readonly next: NextBase;
  /** Whether the swap fails while an import writes to the collection. */
  readonly unlessImporting: boolean;
}

/**
 * Makes rows the base of a collection in one step: parts first, then the head. Only another swap can make it fail;
 * changes of records cannot.
 * @returns the id of the directory
 * @throws ConditionFailed when another writer has replaced the base meanwhile
 */
export async function swapBase({ table, scope, before, next, unlessImporting }: Swap): Promise<string> {
  const { fresh, content, fields, consumed, former } = next;
  const directory = partItem(scope, JSON.stringify({ ...content, consumed, former }));
  await table.write([...fresh, directory].map((part) => ({ put: part })));
  const set = { ...fields, base: randomUUID(), directory: directory.partId };
  try {
    await table.update(headKey(scope), {
      ...headUpdate(before, set, { foldsLog: true, unlessImporting }),
      ReturnValues: 'NONE',
    });
  } catch (error) {
    // An update whose reply was lost is repeated by the SDK and then finds its own base in place.
    if (!(error instanceof ConditionFailed) || error.item?.['base'] !== set.base) throw error;
  }
  return directory.partId;
}

/**
 * The update that gives the head another base, on condition that the previous base is still current.
 * @param foldsLog whether the base includes the changes of the log
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
