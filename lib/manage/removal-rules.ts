import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import { inGroups } from '#lib/domain/in-groups.ts';
import type { Attachment } from '#lib/domain/messaging/attachment.ts';
import { needsOfEntry, type Referrer } from '#lib/domain/referrer.ts';
import type { ManagedKind } from '#lib/kinds/kinds.ts';
import { readEntryList } from '#lib/table/cms/entry-list.ts';
import { idOf, isPublished } from '#lib/table/cms/entry-row.ts';
import { repeatStaleRead } from '#lib/table/collection/stale-read.ts';
import { keys } from '#lib/table/keys.ts';
import { readMenu } from '#lib/table/menu/menu-index.ts';
import { orphanedObjectWrite } from '#lib/table/messaging/pending-attachment.ts';
import { prefixOf, type Referred, type Referring, references } from '#lib/table/references.ts';
import { keptRecordOf } from '#lib/table/retention.ts';
import type { Item } from '#lib/table/schema.ts';
import type { Writes } from '#lib/table/table.ts';
import { inUse, namedRecordsMax } from './in-use.ts';
import type { EditRules, KindRules, ManageRequest, RemovalRules } from './managed-record.ts';

/**
 * Queues the object of a deleted attachment for the sweep. That happens in the transaction that removes the record, so
 * no object stays behind.
 */
const queueObject = ({ principal }: ManageRequest, removed: object): Writes => ({
  object: orphanedObjectWrite(principal, removed as Attachment, Date.now()),
});

const productsOfCategory = ({ table, principal }: ManageRequest, categoryId: string): Promise<Referrer[]> =>
  readMenu(table, principal, async ({ products }) =>
    products
      .filter((product) => product.categoryId === categoryId)
      .slice(0, namedRecordsMax)
      .map(({ id }) => ({ kind: 'menuProduct', id })),
  );

/**
 * The records that refer to a form, a channel or a customer, in the order of their ids. Without outdated pointers it reads
 * one range of pointers and the records that it finds.
 */
const referrersOf =
  (parent: Exclude<Referred, 'main' | 'handOver'>) =>
  async ({ table, principal }: ManageRequest, id: string): Promise<Referrer[]> => {
    const { kind, member } = references[parent];
    const refers = (item: Item | undefined) => keptRecordOf<Referring>(kind, item)?.[member] === id;
    const found: string[] = [];
    const from = prefixOf(parent, id);
    const pointers = { pk: keys.slugs(principal.workspaceId, kind), from, to: `${from}~`, perPage: namedRecordsMax };
    for await (const group of inGroups(table.query(pointers), namedRecordsMax)) {
      const ids = group.map((pointer) => String(pointer['id']));
      const items = await Promise.all(ids.map((one) => table.get(keys.record(principal.workspaceId, kind, one))));
      // An interrupted import may leave a pointer without its record.
      found.push(...ids.filter((_, index) => refers(items[index])));
      if (found.length >= namedRecordsMax) break;
    }
    return found.slice(0, namedRecordsMax).map((referrerId) => ({ kind, id: referrerId }));
  };

/** The newest entries of a database. They prevent its removal. */
const entriesOfModel = async ({ table, principal }: ManageRequest, modelId: string): Promise<Referrer[]> => {
  const list = await repeatStaleRead(table, () => readEntryList(table, principal, modelId));
  const newest = await repeatStaleRead(table, () => list.rows(Math.max(0, list.total - namedRecordsMax)));
  return newest.toReversed().map((row) => ({
    kind: 'cmsEntry',
    id: `${modelId}/${idOf(row)}`,
    needs: needsOfEntry({ isDraft: !isPublished(row) }),
  }));
};

/**
 * The records that prevent a removal: at most `namedRecordsMax`. Only the head of a collection may be an earlier read of
 * the request.
 */
const referrers: Readonly<Partial<Record<ManagedKind, ReturnType<typeof referrersOf>>>> = {
  cmsModel: entriesOfModel,
  menuCategory: productsOfCategory,
  form: referrersOf('form'),
  channel: referrersOf('channel'),
  customer: referrersOf('customer'),
};

function removalOf(kind: ManagedKind, { managed: { noun } }: EditRules): RemovalRules {
  if (kind === 'attachment') return { additionalWrites: queueObject };
  const find = referrers[kind];
  if (!find) return {};
  return {
    authorize: async (request, id) => {
      const found = await find(request, id);
      if (found.length > 0) throw inUse(noun, found, effectivePermissions(request.principal));
    },
  };
}

/** The rules of a function that also removes records. */
export const withRemoval = (rules: KindRules): KindRules =>
  Object.fromEntries(
    (Object.entries(rules) as [ManagedKind, EditRules][]).map(([kind, own]) => [
      kind,
      { ...own, removal: removalOf(kind, own) },
    ]),
  );
