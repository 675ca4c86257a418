import { randomUUID } from 'node:crypto';
import { type AuditAction, operator } from '#lib/domain/access/audit-event.ts';
import type { Member } from '#lib/domain/access/member.ts';
import type { Permission } from '#lib/domain/access/permission.ts';
import { type ApiKeyRecord, ApiKeyRecords, memberKeysMax } from '#lib/table/access/api-key-records.ts';
import { hashOfSecret } from '#lib/table/access/api-keys.ts';
import { auditWrite } from '#lib/table/access/audit-events.ts';
import { newSecret } from '#lib/table/access/new-secret.ts';
import { ConditionFailed } from '#lib/table/errors.ts';
import type { Table, Writes } from '#lib/table/table.ts';
import { CommandFailure } from './command-failure.ts';
import { requireWorkspace } from './require-workspace.ts';

const triesMax = 5;

export interface NewKey {
  readonly name: string;
  readonly memberId: string | null;
  readonly permissions: readonly Permission[];
  readonly expiresAt: string | null;
}

/** A key with its secret, which is shown only once. */
export interface IssuedKey {
  readonly key: ApiKeyRecord;
  readonly secret: string;
}

/** Manages the API keys of one workspace (lib/spec/decisions.md section 2). */
export class ApiKeys {
  readonly #workspaceId: string;
  readonly #records: ApiKeyRecords;

  private constructor(table: Table, workspaceId: string) {
    this.#workspaceId = workspaceId;
    this.#records = new ApiKeyRecords(table, { workspaceId }, 'operator');
  }

  /** @throws CommandFailure when the workspace does not exist */
  static async of(table: Table, workspaceId: string): Promise<ApiKeys> {
    await requireWorkspace(table, workspaceId);
    return new ApiKeys(table, workspaceId);
  }

  list = (): Promise<ApiKeyRecord[]> => this.#records.list();

  async create({ name, memberId, permissions, expiresAt }: NewKey): Promise<IssuedKey> {
    const secret = newSecret();
    const key: ApiKeyRecord = {
      id: `key_${randomUUID().replaceAll('-', '')}`,
      name,
      memberId,
      permissions: [...permissions],
      expiresAt,
      revokedAt: null,
      secretHash: hashOfSecret(secret),
      retired: null,
    };
    await retryOnConflict(async () =>
      this.#records.save(key, await this.#memberOf(key), undefined, this.#audit('create', key)),
    );
    return { key, secret };
  }

  /** Revokes a key from the next request on. */
  revoke(id: string, now: Date): Promise<ApiKeyRecord> {
    return retryOnConflict(async () => {
      const key = await this.#find(id);
      const revokedAt = isPast(key.revokedAt, now) ? key.revokedAt : now.toISOString();
      const revoked = { ...key, revokedAt, retired: null };
      const isChanged = key.revokedAt !== revokedAt || key.retired !== null;
      const event = isChanged ? this.#audit('update', key, ['revokedAt']) : {};
      await this.#records.save(revoked, await this.#findMember(key), key, event);
      return revoked;
    });
  }

  /** Gives a key a new secret. The old one stays valid for the grace period. */
  rotate(id: string, now: Date, graceMilliseconds: number): Promise<IssuedKey> {
    const secret = newSecret();
    const until = new Date(now.getTime() + graceMilliseconds).toISOString();
    return retryOnConflict(async () => {
      const key = await this.#find(id);
      const ended = endOf(key, now);
      if (ended) throw new CommandFailure(`The key ${id} is ${ended}: a new secret would not work. Make a new key.`);
      const rotated = {
        ...key,
        secretHash: hashOfSecret(secret),
        retired: graceMilliseconds > 0 ? { secretHash: key.secretHash, until } : null,
      };
      await this.#records.save(rotated, await this.#memberOf(key), key, this.#audit('rotate', key));
      return { key: rotated, secret };
    });
  }

  #audit = (action: AuditAction, { id }: ApiKeyRecord, changed: readonly string[] = []): Writes => {
    const event = { actor: operator, action, recordKind: 'api-keys', recordId: id, changed, requestId: null };
    return auditWrite({ workspaceId: this.#workspaceId }, event);
  };

  async #find(id: string): Promise<ApiKeyRecord> {
    const key = await this.#records.find(id);
    if (!key) throw new CommandFailure(`The workspace has no key ${id}.`);
    return key;
  }

  async #memberOf(key: ApiKeyRecord): Promise<Member | undefined> {
    const member = await this.#findMember(key);
    if (key.memberId !== null && !member) throw new CommandFailure(`The workspace has no member ${key.memberId}.`);
    return member;
  }

  #findMember = async ({ memberId }: ApiKeyRecord): Promise<Member | undefined> =>
    memberId === null ? undefined : this.#records.findMember(memberId);
}

/** Retries a change from its start after a concurrent change of the key or its member. */
async function retryOnConflict<Result>(change: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; tries <= triesMax; tries++) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (error.write === 'memberKeys') throw new CommandFailure(`The member has ${memberKeysMax} keys already.`);
    }
  }
  throw new CommandFailure('Other changes to the key keep conflicting with this one. Try again later.');
}

/** True if an optional time, e.g. the expiry, has passed. */
export const isPast = (time: string | null, now: Date): time is string =>
  time !== null && Date.parse(time) <= now.getTime();

function endOf({ revokedAt, expiresAt }: ApiKeyRecord, now: Date): 'revoked' | 'expired' | undefined {
  if (isPast(revokedAt, now)) return 'revoked';
  return isPast(expiresAt, now) ? 'expired' : undefined;
}
