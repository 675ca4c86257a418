import type { JsonObject } from '#lib/domain/input.ts';
import { started } from '#lib/domain/started.ts';
import { api } from '#lib/http/api.ts';
import { badRequest, validationFailed } from '#lib/http/errors.ts';
import { allRules } from '#lib/manage/all-rules.ts';
import type { WriteCall } from '#lib/manage/managed-record.ts';
import { findVersion, type HistoryCall, historyCallOf, openHistory } from '#lib/manage/record-history.ts';
import { replyOf, writeOnce } from '#lib/manage/write-record.ts';
import { historyMilliseconds } from '#lib/table/history/kept-states.ts';
import { endpoint } from './endpoint.ts';

export const handler = api(endpoint, {
  handle: (request) => restoreRecord({ ...historyCallOf(request), rules: allRules }),
  beginsEarly: true,
});

type RestoreCall = WriteCall & HistoryCall & { readonly body: { readonly version: string } };

/**
 * Makes a record that of one of its versions: a write like PUT, with the same checks (lib/spec/additions.md section 14).
 * @throws 400, 403, 404, 409, 412, 422, Unavailable; then nothing is stored
 */
async function restoreRecord(call: RestoreCall) {
  const restored = started(findRestored(call));
  const { answer } = await writeOnce(call, { verb: 'replace', operation: 'restore', restored });
  return replyOf(answer);
}

/** The version as the body of a PUT. Without history there is none, whatever is stored. @throws 400, 404 */
async function findRestored(call: RestoreCall) {
  const found = historyMilliseconds() > 0 && (await findVersion(await openHistory(call), call.body.version));
  if (!found) throw badRequest([validationFailed(unknownVersion)]);
  return { body: JSON.parse(found.text) as JsonObject, restores: found };
}

const unknownVersion = {
  path: 'version',
  code: 'not_found',
  message: 'version: Must be the id of a version of this record that is no deletion.',
} as const;
