import * as z from 'zod/mini';
import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { firstOf } from '#lib/domain/first-of.ts';
import { inGroups } from '#lib/domain/in-groups.ts';
import { isObject, type JsonObject } from '#lib/domain/input.ts';
import type { DeletedRecord } from '#lib/domain/record-version.ts';
import { cutToBytes } from '#lib/domain/text/code-points.ts';
import { rendered } from '#lib/http/answer.ts';
import { pageOf } from '#lib/http/page.ts';
import { refusalOf } from '#lib/http/permissions.ts';
import type { ListValues } from '#lib/kinds/kind-endpoints.ts';
import { historyKinds, type ManagedKind, managed, managedKindAt } from '#lib/kinds/kinds.ts';
import { isEventId } from '#lib/table/access/stored-events.ts';
import { type Deletion, Versions } from '#lib/table/history/versions.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import { type ManageRequest, parseRecordAddress, rulesOf } from './managed-record.ts';
import { readRules } from './read-rules.ts';
import { nameOf, textIn } from './record-name.ts';

type ListCall = Pick<ManageRequest, 'table' | 'principal'> & {
  readonly query: ListValues & { readonly kind?: string | undefined };
};

/** A deletion, with what the list shows of it. */
interface Listed {
  readonly eventId: string;
  readonly shown: DeletedRecord | undefined;
}

/** The number of deletions, or groups of other events, that one page examines; `atOnce` of them are read at once. */
const lookedAtMax = 500;
/** The first text of an entry may be a whole article. */
const nameBytesMax = 400;
const atOnce = 20;

/**
 * Answers a page of the deleted records that can be restored, newest first (lib/spec/additions.md section 14).
 * @throws 400, 403 for a kind that the caller may not read
 */
export async function answerDeleted(call: ListCall) {
  const { table, principal, query } = call;
  const { kind: path, limit, cursor } = query;
  const kinds = readableKinds(call, path);
  const versions = new Versions(table, principal);
  const { rows, next } = await pageOf<Listed, string>(
    { list: [principal.workspaceId, 'deleted', path ?? ''], limit, cursor },
    {
      order: { position: z.string().check(z.refine(isEventId)), of: ({ eventId }) => eventId },
      after: (id) => listed(call, versions, kinds, versions.deletions(id)),
      matches: ({ shown }) => shown !== undefined,
      lookedAtMax,
    },
  );
  return { json: rendered(JSON.stringify({ data: rows.map(({ shown }) => shown), next })) };
}

/** The kinds that the list has, by their paths. @throws 403 */
function readableKinds({ principal }: ListCall, path: string | undefined): ReadonlyMap<string, ManagedKind> {
  const refusal = (kind: ManagedKind) =>
    refusalOf({ permissions: [], ...managed(kind).verbs.get, memberPermission: 'ifPresent' }, principal);
  const named = path === undefined ? undefined : managedKindAt(path);
  const refused = named && refusal(named);
  if (refused) throw refused;
  const kinds = named ? [named] : historyKinds.filter((kind) => !refusal(kind));
  return new Map(kinds.map((kind) => [managed(kind).path, kind]));
}

async function* listed(
  call: ListCall,
  versions: Versions,
  kinds: ReadonlyMap<string, ManagedKind>,
  deletions: AsyncIterable<Deletion>,
): AsyncGenerator<Listed> {
  const read = async (deletion: Deletion): Promise<Listed> => {
    const kind = kinds.get(deletion.recordKind);
    const shown = kind && (await shownDeletion(call, versions, kind, deletion));
    return { eventId: deletion.eventId, shown };
  };
  for await (const group of inGroups(deletions, atOnce)) yield* await Promise.all(group.map(read));
}

/** @returns undefined if the record exists again, if it was deleted again, or if the caller may not see it */
async function shownDeletion(
  call: ListCall,
  versions: Versions,
  kind: ManagedKind,
  deletion: Deletion,
): Promise<DeletedRecord | undefined> {
  const { table, principal } = call;
  const { recordId: id, eventId } = deletion;
  const rules = rulesOf({ rules: readRules }, kind);
  const address = parseRecordAddress(id);
  const granted = effectivePermissions(principal);
  const [context = {}, workspace, event, states, newest, ...stored] = await Promise.all([
    rules.context?.(call, id),
    findWorkspace(table, principal.workspaceId),
    versions.event(eventId),
    versions.states(deletion, eventId),
    firstOf(2, versions.newestFirst(deletion, undefined, 2)),
    ...rules.storage.ownKeys(principal.workspaceId, { kind: kind as 'form', ...address }).map((key) => table.get(key)),
  ]);
  const [last, removed] = newest;
  const isListed = stored.every((item) => item === undefined) && last?.id === eventId && removed && event;
  if (!isListed || rules.hasParent?.(address, context) === false) return undefined;
  if (rules.exists?.({ published: !last.isDraft }, granted) === false) return undefined;
  const whole = states?.before === undefined ? undefined : (JSON.parse(states.before) as JsonObject);
  const shown = whole && (rules.formerView?.(whole, states?.hidden ?? [], granted, context) ?? whole);
  const model = context.schema?.models.get(address.modelId ?? '');
  const named = shown && shownName(shown, model, workspace?.defaultLanguage ?? '');
  const name = cutToBytes(named ?? '', nameBytesMax) || address.id;
  return { kind: deletion.recordKind, id, name, at: event.at, actor: event.actor, version: removed.id };
}

/** The name of a record; of an entry its first text. */
function shownName(record: JsonObject, model: Model | undefined, language: string): string | undefined {
  const { values } = record;
  if (!model || !isObject(values)) return nameOf(record, language);
  const texts = model.fields.filter(({ type }) => type === 'text' || type === 'longText');
  return texts.map(({ key }) => textIn(values[key], language)).find((text) => text !== undefined);
}
