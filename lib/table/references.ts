import type { WorkspaceScope } from '#lib/domain/access/principal.ts';
import { keys } from './keys.ts';
import type { RecordKind } from './record-kinds.ts';
import { keptRecordOf } from './retention.ts';
import type { Item } from './schema.ts';
import type { Table } from './table.ts';

/** The kinds whose referrers have pointers: their kind, and the member with the id of the parent. */
export const references = {
  form: { kind: 'formResponse', member: 'formId' },
  channel: { kind: 'conversation', member: 'channelId' },
  customer: { kind: 'conversation', member: 'customerId' },
} as const;
export type ReferredKind = keyof typeof references;

type Referring = { readonly id: string } & Readonly<Partial<Record<'formId' | 'channelId' | 'customerId', unknown>>>;

const prefixOf = (parent: string, id: string): string => `${parent}#${id}#`;

/** The names (W3) under which the referrers of a form, channel or customer are found. They contain the own id. */
export const referenceNames = (kind: RecordKind, record: Referring): string[] =>
  Object.entries(references).flatMap(([parent, reference]) => {
    const id = reference.kind === kind ? record[reference.member] : undefined;
    return typeof id === 'string' ? [`${prefixOf(parent, id)}${record.id}`] : [];
  });

/** The pointer items of these names. */
export const referenceItems = (workspaceId: string, kind: RecordKind, record: Referring): Item[] =>
  referenceNames(kind, record).map((name) => ({ ...keys.slug(workspaceId, kind, name), id: record.id }));

/**
 * The first ids of the records that refer to a parent, in the order of ids. Without outdated pointers it reads one range
 * of pointers and the records that it finds.
 * @throws Unavailable
 */
export async function referrerIds(
  table: Table,
  { workspaceId }: WorkspaceScope,
  parent: { readonly kind: ReferredKind; readonly id: string },
  atMost: number,
): Promise<string[]> {
  const { kind, member } = references[parent.kind];
  const refers = (item: Item | undefined) => keptRecordOf<Referring>(kind, item)?.[member] === parent.id;
  const found: string[] = [];
  const from = prefixOf(parent.kind, parent.id);
  const pointers = { pk: keys.slugs(workspaceId, kind), from, to: `${from}~`, perPage: atMost };
  for await (const ids of inGroups(table.query(pointers), atMost)) {
    const items = await Promise.all(ids.map((id) => table.get(keys.record(workspaceId, kind, id))));
    // An interrupted import may leave a pointer without its record.
    found.push(...ids.filter((_, index) => refers(items[index])));
    if (found.length >= atMost) break;
  }
  return found.slice(0, atMost);
}

/** The ids of pointers in groups. */
async function* inGroups(pointers: AsyncIterable<Item>, length: number): AsyncGenerator<string[]> {
  let group: string[] = [];
  for await (const { id } of pointers) {
    group.push(String(id));
    if (group.length === length) {
      yield group;
      group = [];
    }
  }
  if (group.length > 0) yield group;
}
