import { requireGrantable } from '#lib/access/granting.ts';
import { isInForce } from '#lib/domain/access/api-key.ts';
import { type Issue, type JsonObject, withPath } from '#lib/domain/input.ts';
import {
  pausesAfter,
  type StoredWebhook,
  shownWebhook,
  type Webhook,
  webhooksMax,
} from '#lib/domain/webhooks/webhook.ts';
import { badRequest, HttpError, validationFailed } from '#lib/http/errors.ts';
import { isSelector } from '#lib/kinds/event-types.ts';
import { webhook } from '#lib/kinds/webhooks.ts';
import type { EditRules, IssuedSecret, ManageRequest } from '#lib/manage/managed-record.ts';
import type { ApiKeyRecord } from '#lib/table/access/api-key-records.ts';
import { findRecord } from '#lib/table/table.ts';
import { webhookRules as storage } from '#lib/table/writer/webhook-rules.ts';
import { urlFault } from './addresses.ts';

const webhookOf = (record: JsonObject): Webhook => record as unknown as Webhook;
const storedOf = (record: JsonObject): StoredWebhook => record as unknown as StoredWebhook;

/** The rules of webhooks (lib/spec/additions.md section 5). */
export const webhookRules: EditRules = {
  ...webhook,
  storage,
  check: checkWebhook,
  view: (record) => ({ ...shownWebhook(storedOf(record)) }),
  fixed: (before) => ({ disabledReason: before?.['disabledReason'] ?? null }),
  authorize: async (request, before, after, { issued }) => {
    const [former, next] = [before && webhookOf(before), webhookOf(after)];
    if (former && !issued && isSwitchedOff(former, next)) return;
    const key = await keyOf(request, next);
    if (key && former?.apiKeyId !== next.apiKeyId) requireInForce(key);
    // It tells its receiver what the key may read.
    requireGrantable(request.principal, { after: key?.permissions ?? [] });
  },
  complete: (record, stored, _, __, { issued }) => {
    const { enabled } = webhookOf(record);
    const before = stored && storedOf(stored);
    const now = new Date().toISOString();
    return {
      ...record,
      ...(enabled && { disabledReason: null }),
      madeAt: before?.madeAt ?? now,
      pauses: pausesAfter(before?.pauses, enabled, now),
      ...secretsAfter(before, issued),
    };
  },
  refusals: {
    too_many_webhooks: () =>
      new HttpError(
        409,
        'limit_reached',
        `A workspace has at most ${webhooksMax} webhooks. Delete one first, or add types to one.`,
      ),
  },
};

const typeRule = 'Must be a type of event such as menu_product.updated, or all of a kind such as menu_product.*.';

async function checkWebhook({ url, types }: JsonObject): Promise<{ readonly failures: Issue[] }> {
  const unknown = (Array.isArray(types) ? types : []).flatMap((type, index): Issue[] =>
    typeof type === 'string' && !isSelector(type)
      ? [{ path: `types.${index}`, code: 'not_allowed', message: typeRule }]
      : [],
  );
  const fault = typeof url === 'string' ? urlFault(url) : undefined;
  return { failures: [...(fault ? [{ path: 'url', ...fault }] : []), ...unknown] };
}

/** A key is only missing if an import has removed it. */
const keyOf = ({ table, principal }: ManageRequest, { apiKeyId }: Webhook): Promise<ApiKeyRecord | undefined> =>
  findRecord<ApiKeyRecord>(table, principal, 'apiKey', apiKeyId);

/** A caller that may manage webhooks may stop one. All else needs the permissions of its key. */
function isSwitchedOff(before: Webhook, { createdAt, updatedAt, ...after }: Webhook): boolean {
  const others = Object.entries(after).filter(([name]) => name !== 'enabled');
  const isSame = others.every(([name, value]) => JSON.stringify(value) === JSON.stringify(before[name as 'url']));
  return isSame && !after.enabled;
}

/** @throws 400 */
function requireInForce(key: ApiKeyRecord): void {
  if (isInForce(key)) return;
  const message = 'Must be a key that is neither revoked nor expired.';
  throw badRequest([validationFailed(withPath({ path: 'apiKeyId', code: 'not_allowed', message }))]);
}

/** The versions of the secrets after a write. A rotation ends an earlier grace. */
function secretsAfter(
  stored: StoredWebhook | undefined,
  issued: IssuedSecret | undefined,
): Pick<StoredWebhook, 'secretVersion' | 'formerSecret'> {
  const { secretVersion, formerSecret } = stored ?? {};
  if (!issued) {
    if (secretVersion === undefined) throw new Error('A new webhook needs a secret.');
    return { secretVersion, ...(formerSecret && { formerSecret }) };
  }
  const until = new Date(Date.now() + issued.graceSeconds * 1_000).toISOString();
  const former = secretVersion !== undefined && issued.graceSeconds > 0 && { version: secretVersion, until };
  return { secretVersion: issued.stored, ...(former && { formerSecret: former }) };
}
