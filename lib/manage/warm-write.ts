import type { Principal } from '#lib/domain/access/principal.ts';
import { type JsonObject, textOf } from '#lib/domain/json-object.ts';
import { started } from '#lib/domain/started.ts';
import { readKeyAhead } from '#lib/idempotency/run-idempotent.ts';
import { type ManagedKind, managedKindAt } from '#lib/kinds/kinds.ts';
import { readAhead } from '#lib/records/check-record.ts';
import { lastSeenCmsSchema } from '#lib/table/cms/cms-schema.ts';
import { readLog } from '#lib/table/log/read-log.ts';
import type { Table } from '#lib/table/table.ts';
import { findWorkspace } from '#lib/table/workspaces.ts';
import { warmChange } from '#lib/table/writer/apply-change.ts';
import { keyScopeOf } from './answer-write.ts';
import { findRecord } from './find-record.ts';
import { rulesOf } from './kind-rules.ts';
import { isAddress, parseRecordAddress, type RecordWrite } from './managed-record.ts';
import { parentOf, Removal } from './removal.ts';
import { lookupIn } from './stored-lookup.ts';
import { createdId } from './write-record.ts';

interface WarmCall {
  readonly principal: Principal;
  readonly table: Table;
  readonly params: { readonly kind: string; readonly id?: string };
  readonly headers: { readonly 'Idempotency-Key'?: string | undefined; readonly 'If-Match'?: string | undefined };
  /** The body, if it is small and valid so far. */
  readonly hint?: unknown;
}

/** Starts the reads of a write in the same batch as the key. @param operation the scope of an Idempotency-Key */
export async function warmWrite(call: WarmCall, verb: RecordWrite['verb'], operation: string = verb): Promise<void> {
  const { principal, table, params } = call;
  const kind = managedKindAt(params.kind);
  if (!kind) return;
  await Promise.all([
    findWorkspace(table, principal.workspaceId),
    readRecord(call, verb, kind),
    verb !== 'delete' && readNamed(call, kind),
    readKeyAhead(call, keyScopeOf(operation, params)),
  ]);
}

/** Reads the record, the affected collections, and the first items of a removal. */
async function readRecord({ table, principal, ...call }: WarmCall, verb: RecordWrite['verb'], kind: ManagedKind) {
  const body = call.hint as JsonObject | undefined;
  const id = call.params.id ?? createdId(kind, body);
  const isMade = call.params.id === undefined && textOf(body?.['id']) === '';
  if (!isAddress({ kind, id })) return;
  const { context } = rulesOf(kind);
  const parent = isMade ? undefined : parentOf(kind, id);
  await Promise.all([
    isMade ? context?.({ table, principal }, undefined) : findRecord({ table, principal }, { kind, id }),
    warmChange(table, principal, { kind, id: parseRecordAddress(id).id }),
    kind.startsWith('menu') && readLog(table, principal),
    parent && new Removal(principal, parent, verb).warm(table),
  ]);
}

/** The references of a body: other records, and unique names. */
async function readNamed({ table, principal, params, hint }: WarmCall, kind: ManagedKind): Promise<void> {
  if (hint === undefined) return;
  const record = { ...(hint as JsonObject), ...(params.id !== undefined && parseRecordAddress(params.id)) };
  const schema = lastSeenCmsSchema(table, principal);
  const lookup = lookupIn(table, principal, []);
  const model = async (id: string) => {
    // The last seen model tells which records to read, so this read need not end first.
    started(lookup.model(id));
    return schema?.models.get(id);
  };
  await readAhead({ kind, record }, { ...lookup, model });
}
