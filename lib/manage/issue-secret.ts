import type { JsonObject } from '#lib/domain/input.ts';
import type { WriteCall } from './managed-record.ts';
import { replyOf, writeOnce } from './write-record.ts';

interface NewSecret {
  /** What is stored of it. */
  readonly stored: string;
  /** Makes it, for the record with this id. */
  readonly secretOf: (id: string) => string | Promise<string>;
}

type SecretCall = Omit<WriteCall, 'rules'>;

/**
 * Creates records of a kind with a secret, and gives them new secrets. Only these answers have one. The former secret
 * stays valid for the grace period, earlier ones become invalid. @throws 400, 403, 404, 409
 */
export function secretIssuer(rules: WriteCall['rules'], newSecret: (workspaceId: string) => NewSecret) {
  const issue = async (
    call: SecretCall,
    graceSeconds: number,
    write: Omit<Parameters<typeof writeOnce>[1], 'issued'>,
  ) => {
    const { stored, secretOf } = newSecret(call.principal.workspaceId);
    const { answer, isFirst } = await writeOnce({ ...call, rules }, { ...write, issued: { stored, graceSeconds } });
    const record: { readonly id: string } = JSON.parse(answer.json);
    // A retry gets the record alone, and no cache may store a secret.
    const json = isFirst ? JSON.stringify({ ...record, secret: await secretOf(record.id) }) : answer.json;
    return replyOf({ ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' }, json });
  };
  return {
    create: (call: SecretCall) => issue(call, 0, { verb: 'create', body: call.body as JsonObject }),
    rotate: (call: SecretCall, graceSeconds: number) =>
      issue(call, graceSeconds, { verb: 'update', body: {}, operation: 'rotate' }),
  };
}
