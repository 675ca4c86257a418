import type { FormResponse } from '#lib/domain/forms/form-response.ts';
import { rendered } from '#lib/http/answer.ts';
import { ifNoneMatchHolds } from '#lib/http/conditional.ts';
import { notFound } from '#lib/http/errors.ts';
import { isNeverUnchanged } from '#lib/kinds/kind-endpoints.ts';
import { type ManageRequest, servedAt } from './managed-record.ts';
import { recordNotFound } from './refusals.ts';
import { responsesWithFiles } from './response-files.ts';
import { findRecord } from './shown-record.ts';

interface GetCall extends Omit<ManageRequest, 'requestId'> {
  readonly params: { readonly kind: string; readonly id: string };
  readonly headers: { readonly 'If-None-Match'?: string | undefined };
}

/**
 * Answers GET of one record. The tag identifies the stored version, and is valid for `If-Match`.
 * @throws 404
 */
export async function answerRecord(call: GetCall) {
  const { id } = call.params;
  const served = servedAt(call, call.params.kind);
  if (!served) throw notFound('Address');
  const { kind, rules } = served;
  const found = await findRecord(call, { kind, rules, id });
  if (!found) throw recordNotFound(rules.managed.noun);
  const etag = `"${found.etag}"`;
  if (!isNeverUnchanged(rules) && ifNoneMatchHolds(call.headers['If-None-Match'], etag)) return { unchanged: etag };
  // A form response is shown with the files that its answers name.
  const [record = found.record] =
    kind === 'formResponse' ? await responsesWithFiles(call, [found.record as FormResponse]) : [];
  return { json: rendered(JSON.stringify(record)), headers: { etag } };
}
