import type { Principal } from '#lib/domain/access/principal.ts';
import { answerBytesMax } from '#lib/domain/answer-size.ts';
import { type JsonObject, textOf } from '#lib/domain/input.ts';
import { asHttpError, fittingErrors, methodNotAllowed } from '#lib/http/errors.ts';
import { refusalOf } from '#lib/http/permissions.ts';
import type { Managed, Verb } from '#lib/kinds/define-kind.ts';
import { milliseconds } from '#lib/table/dynamodb/clock.ts';
import { Unavailable } from '#lib/table/errors.ts';
import type { ChangeItem, ChangeResult } from './change-list.ts';
import {
  createdId,
  type EditRules,
  isAddress,
  type ManageRequest,
  type RecordWrite,
  servedAt,
} from './managed-record.ts';
import { recordNotFound } from './refusals.ts';
import { beginWrite } from './write-record.ts';

/** After this time no change begins, because the gateway's wait is limited. */
export const beginMilliseconds = 8_000;
/** The time of each change. A change that takes nearly as long shows that the table is not answering. */
const changeMilliseconds = 2_600;
const slowMilliseconds = 2_000;

const verbs = { POST: 'create', PUT: 'replace', PATCH: 'update', DELETE: 'delete' } as const satisfies Readonly<
  Record<ChangeItem['method'], Verb>
>;

/**
 * Makes independent changes one after the other. A refused change does not stop the others.
 * @returns the results in the order of the changes; 503 for a change that had no time
 */
export async function applyChanges(request: ManageRequest, items: readonly ChangeItem[]): Promise<ChangeResult[]> {
  const results: ChangeResult[] = [];
  let endsAt = milliseconds() + beginMilliseconds;
  for (const item of items) {
    const beganAt = milliseconds();
    const result = await resultOf(request, item, endsAt, answerBytesMax / items.length);
    results.push(result);
    // The table does not answer, so no other change begins.
    if (result.status === 503 && milliseconds() - beganAt > slowMilliseconds) endsAt = beganAt;
  }
  return results;
}

/** @param issueBytesMax the part of the answer for the issues of this change */
async function resultOf(
  request: ManageRequest,
  item: ChangeItem,
  endsAt: number,
  issueBytesMax: number,
): Promise<ChangeResult> {
  const verb = verbs[item.method];
  const served = servedAt(request, item.kind);
  let id = item.id;
  try {
    if (!served) throw methodNotAllowed('GET, HEAD');
    const { rules } = served;
    const body = recordOf(item, rules);
    const now = new Date();
    const isUnnamed = verb === 'create' && !hasUsableId(item, rules);
    id = isUnnamed ? createdId(rules, body, now) : (item.id ?? '');
    requireAllowed(request.principal, rules, verb, id);
    if (milliseconds() > endsAt) throw new Unavailable('There is no time left for this change.');
    const table = request.tableFor(changeMilliseconds);
    const newIdAt = isUnnamed && textOf(body?.['id']) === '' ? now : undefined;
    const write: RecordWrite = { ...served, id, verb, newIdAt, ...(body && { body }), ifMatch: item.ifMatch };
    const { status, headers } = await beginWrite({ ...request, table }, write)();
    const { etag } = headers;
    return { status, id, ...(etag !== undefined && { etag }) };
  } catch (error) {
    const { statusCode, code, message, details } = asHttpError(error);
    return {
      status: statusCode,
      ...(id !== undefined && { id }),
      error: { message, code, ...(details.errors && { errors: [...fittingErrors(details.errors, issueBytesMax)] }) },
    };
  }
}

const hasUsableId = ({ id }: ChangeItem, rules: EditRules): boolean => id !== undefined && isAddress({ rules, id });

/** The record of a change. An id that no record can have is judged with a new record, like one in a body. */
const recordOf = (item: ChangeItem, rules: EditRules): JsonObject | undefined =>
  item.method === 'POST' && item.id !== undefined && !hasUsableId(item, rules)
    ? { id: item.id, ...item.record }
    : item.record;

/** @throws 403, 404, 405 like a separate call */
function requireAllowed(principal: Principal, rules: EditRules, verb: Verb, id: string): void {
  const { managed } = rules;
  const needs = managed.verbs[verb];
  if (!needs) throw methodNotAllowed(methodsOf(managed, verb === 'create' ? 'collection' : 'record').join(', '));
  const refusal = refusalOf({ ...needs, memberPermission: 'ifPresent' }, principal);
  if (refusal) throw refusal;
  // The id in a body is checked with the record.
  if (verb !== 'create' && !isAddress({ rules, id })) throw recordNotFound(managed.noun);
}

const methodOf = (verb: Verb): string => Object.entries(verbs).find(([, own]) => own === verb)?.[0] ?? 'GET';
const ofCollections: ReadonlySet<Verb> = new Set(['list', 'create']);

/** The methods of a kind on the path of its list, or of one record. */
const methodsOf = (managed: Managed, of: 'collection' | 'record'): string[] =>
  (Object.keys(managed.verbs) as Verb[])
    .filter((verb) => ofCollections.has(verb) === (of === 'collection'))
    .map(methodOf);
