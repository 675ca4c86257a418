import { textOf } from '#lib/domain/json-object.ts';
import { isStorableName } from '#lib/domain/stored-size.ts';
import { kindOf, managedKindAt } from '#lib/kinds/kinds.ts';
import { keys } from '#lib/table/keys.ts';
import type { RecordKind } from '#lib/table/record-kinds.ts';
import type { ChangeItem } from './change-list.ts';
import type { ManageRequest } from './managed-record.ts';
import { createdId } from './write-record.ts';

/** The number of parallel changes of different records. */
const parallelMax = 10;

/**
 * Groups adjacent changes of one kind that have the same results in any order: of different records, with different
 * slugs. A change that takes a slug does not run in parallel with a change of the slug's current owner. The owner may
 * also come from an earlier change. Reads the owners of all slugs in one round trip.
 * @throws Unavailable
 */
export async function parallelGroups(
  { table, principal }: ManageRequest,
  items: readonly ChangeItem[],
): Promise<ChangeItem[][]> {
  /** The ids of the records that may have a slug when a change begins. */
  const owners = new Map<string, string[]>();
  const readOwner = async ({ kind, slug, claim }: NonNullable<ReturnType<typeof slugOf>>) => {
    const pointer = await table.get(keys.slug(principal.workspaceId, kind, slug));
    if (pointer) owners.set(claim, [String(pointer['id'])]);
  };
  if (items.length > 1) await Promise.all(items.flatMap((item) => slugOf(item) ?? []).map(readOwner));
  const groups: ChangeItem[][] = [];
  let claimed = new Set<string>();
  for (const item of items) {
    const group = groups.at(-1);
    const claims = claimsOf(item, owners);
    const isFree = group?.[0]?.kind === item.kind && !claims.some((claim) => claimed.has(claim));
    if (isFree && group.length < parallelMax) group.push(item);
    else {
      groups.push([item]);
      claimed = new Set();
    }
    for (const claim of claims) claimed.add(claim);
  }
  return groups;
}

/** What two changes of a group must not share. From then on, the record of the change may have its slug. */
function claimsOf(item: ChangeItem, owners: Map<string, string[]>): string[] {
  const id = idOf(item);
  const slug = slugOf(item)?.claim;
  const ids = [...(id === '' ? [] : [id]), ...((slug && owners.get(slug)) || [])];
  if (slug) owners.set(slug, ids);
  const claims = [...ids.map((id) => `id ${id}`), ...(slug ? [slug] : [])];
  // The name of a channel has two members, and a patch may have one of them. So channels change one by one.
  return item.kind === 'channels' ? [...claims, 'channel'] : claims;
}

/** The slug that a change gives its record. */
function slugOf({ kind: path, record = {} }: ChangeItem) {
  const kind = managedKindAt(path);
  const slug = textOf(record['slug']);
  if (!kind || kindOf(kind).unique !== 'slug' || !isStorableName(slug)) return undefined;
  return { kind: kind as RecordKind, slug, claim: `${kind} ${slug}` };
}

/** The id that a change names, or an empty string. */
function idOf({ kind: path, id, record = {} }: ChangeItem): string {
  const kind = managedKindAt(path);
  return textOf(id) || (textOf(record['id']) && kind ? createdId(kind, record) : '');
}
