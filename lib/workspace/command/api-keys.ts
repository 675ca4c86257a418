import { randomUUID } from 'node:crypto';
import { memberKeysMax } from '#lib/domain/access/api-key.ts';
import { type AuditAction, operator } from '#lib/domain/access/audit-event.ts';
import { Failure } from '#lib/domain/failure.ts';
import { type ApiKeyRecord, ApiKeyRecords } from '#lib/table/access/api-key-records.ts';
import { hashOfSecret } from '#lib/table/access/api-keys.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import { newSecret } from '#lib/table/access/new-secret.ts';
import { Repository, type Table } from '#lib/table/table.ts';
import { applyChange, ChangeRefused } from '#lib/table/writer/apply-change.ts';
import type { DecidedChange } from '#lib/table/writer/change.ts';
import { keyRules } from '#lib/table/writer/key-rules.ts';
import { requireWorkspace } from './connection.ts';

export type NewKey = Pick<ApiKeyRecord, 'name' | 'memberId' | 'permissions' | 'expiresAt'>;

/** A key with its secret, which is shown only once. */
export interface IssuedKey {
  readonly key: ApiKeyRecord;
  readonly secret: string;
}

/** Manages the API keys of one workspace (lib/spec/decisions.md section 2). */
export class ApiKeys extends Repository {
  readonly #records = new ApiKeyRecords(this.table, this);

  /** @throws Failure when the workspace does not exist */
  static async of(table: Table, workspaceId: string): Promise<ApiKeys> {
    await requireWorkspace(table, workspaceId);
    return new ApiKeys(table, { workspaceId });
  }

  list = (): Promise<ApiKeyRecord[]> => this.#records.list();

  async create(given: NewKey): Promise<IssuedKey> {
    const secret = newSecret();
    const id = `key_${randomUUID().replaceAll('-', '')}`;
    const key: ApiKeyRecord = { id, ...given, revokedAt: null, secretHash: hashOfSecret(secret), retired: null };
    await this.#change(id, () => key, 'create').catch((error: unknown) => {
      if (!(error instanceof ChangeRefused)) throw error;
      throw error.reason === 'no_member' ? noMember(key) : new Failure(`The member has ${memberKeysMax} keys already.`);
    });
    return { key, secret };
  }

  /** Revokes a key from the next request on. */
  revoke = (id: string, now: Date): Promise<ApiKeyRecord> =>
    this.#change(
      id,
      (stored) => {
        const key = found(stored, id);
        return { ...key, revokedAt: isPast(key.revokedAt, now) ? key.revokedAt : now.toISOString(), retired: null };
      },
      'update',
      ['revokedAt'],
    );

  /** Gives a key a new secret. The old one stays valid for the grace period. */
  async rotate(id: string, now: Date, graceMilliseconds: number): Promise<IssuedKey> {
    const secret = newSecret();
    const until = new Date(now.getTime() + graceMilliseconds).toISOString();
    const decide = async (stored: ApiKeyRecord | undefined): Promise<ApiKeyRecord> => {
      const key = found(stored, id);
      const ended = endOf(key, now);
      if (ended) throw new Failure(`The key ${id} is ${ended}: a new secret would not work. Make a new key.`);
      if (key.memberId !== null && !(await this.#records.findMember(key.memberId))) throw noMember(key);
      const retired = graceMilliseconds > 0 ? { secretHash: key.secretHash, until } : null;
      return { ...key, secretHash: hashOfSecret(secret), retired };
    };
    return { key: await this.#change(id, decide, 'rotate'), secret };
  }

  async #change(
    id: string,
    decide: (stored: ApiKeyRecord | undefined) => ApiKeyRecord | Promise<ApiKeyRecord>,
    action: AuditAction,
    changed: readonly string[] = [],
  ): Promise<ApiKeyRecord> {
    const event = { actor: operator, action, recordKind: 'api-keys', recordId: id, changed, requestId: null };
    const change: DecidedChange = {
      kind: 'apiKey',
      id,
      decide: async ({ record }) => decide(record as ApiKeyRecord | undefined),
    };
    const { after } = await applyChange(keyRules, this.table, this, change, {
      now: new Date().toISOString(),
      mayMeetImport: true,
      additionalWrites: () => auditWrite(this, event),
    });
    return after as ApiKeyRecord;
  }
}

function found(key: ApiKeyRecord | undefined, id: string): ApiKeyRecord {
  if (!key) throw new Failure(`The workspace has no key ${id}.`);
  return key;
}

const noMember = ({ memberId }: ApiKeyRecord): Failure => new Failure(`The workspace has no member ${memberId}.`);

/** True if an optional time, e.g. the expiry, has passed. */
export const isPast = (time: string | null, now: Date): time is string =>
  time !== null && Date.parse(time) <= now.getTime();

function endOf({ revokedAt, expiresAt }: ApiKeyRecord, now: Date): 'revoked' | 'expired' | undefined {
  if (isPast(revokedAt, now)) return 'revoked';
  return isPast(expiresAt, now) ? 'expired' : undefined;
}
