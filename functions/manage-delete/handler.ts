import { effectivePermissions } from '#lib/domain/access/effective-permissions.ts';
import { isRecordId } from '#lib/domain/text/identifier.ts';
import { api } from '#lib/http/api.ts';
import { badRequest, invalidQuery } from '#lib/http/errors.ts';
import { lacksPermission } from '#lib/http/permissions.ts';
import type { RequestOf } from '#lib/http/pipeline.ts';
import { requireMatch } from '#lib/http/preconditions.ts';
import { rulesOf } from '#lib/manage/managed-record.ts';
import { plainRules } from '#lib/manage/plain-rules.ts';
import { errorOfRefusal, recordNotFound } from '#lib/manage/refusals.ts';
import { withRemoval } from '#lib/manage/removal-rules.ts';
import { answerWrite } from '#lib/manage/write-record.ts';
import { eraseCustomer } from '#lib/table/erasing.ts';
import { endpoint } from './endpoint.ts';

type Request = RequestOf<typeof endpoint>;

export const handler = api(endpoint, {
  handle: async (request) => (request.query.erase || request.query.responses ? erase(request) : remove(request)),
  beginsEarly: true,
});

const rules = withRemoval(plainRules);

const remove = ({ body: _, ...request }: Request) => answerWrite({ ...request, rules }, 'delete');

const needsErase = {
  path: 'responses',
  code: 'not_allowed',
  message: 'responses: Must come with erase=true.',
} as const;
/** A person has a few conversations. With more, the rest is removed after a 503. */
export const eraseMilliseconds = 15_000;

/** Erases a person (lib/spec/additions.md section 2, "Erasing a person"). @throws 400, 403, 404, 412, Unavailable */
async function erase(request: Request) {
  const { query, params, headers, principal, requestId, tableFor, logDetails } = request;
  const { id } = params;
  Object.assign(logDetails, { recordKind: params.kind, recordId: id });
  if (!query.erase) throw badRequest([invalidQuery(needsErase)]);
  if (query.responses && !effectivePermissions(principal).has('forms:response:delete'))
    throw lacksPermission('forms:response:delete', principal.kind);
  const isErased =
    isRecordId(id) &&
    (await eraseCustomer(tableFor(eraseMilliseconds), principal, {
      customerId: id,
      author: { actor: principal.actor, requestId },
      withResponses: query.responses !== undefined,
      check: ({ etag }) => requireMatch(headers['If-Match'], `"${etag}"`, 'customer'),
    }).catch((error: unknown) => {
      throw errorOfRefusal(error, rulesOf({ rules }, 'customer'));
    }));
  if (!isErased) throw recordNotFound('customer');
  return { status: 202 as const, body: { status: 'erasing' } };
}
