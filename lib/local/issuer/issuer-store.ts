import type { Adapter, AdapterPayload } from 'oidc-provider';

interface IssuerRecord {
  readonly payload: AdapterPayload;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const recordsMax = 10_000;

/** Stores the local issuer's logins and sessions in memory. */
export function issuerStore(): (name: string) => Adapter {
  const records = new Map<string, IssuerRecord>();
  const find = (matches: (key: string, payload: AdapterPayload) => boolean): AdapterPayload | undefined => {
    for (const [key, { payload, expiresAt }] of records) {
      if (expiresAt <= Date.now()) records.delete(key);
      else if (matches(key, payload)) return payload;
    }
    return undefined;
  };
  return (name) => {
    const keyOf = (id: string): string => `${name}:${id}`;
    return {
      upsert: async (id, payload, seconds = 0) => {
        records.delete(keyOf(id));
        records.set(keyOf(id), { payload, expiresAt: Date.now() + seconds * 1_000 });
        const [oldest] = records.keys();
        if (records.size > recordsMax && oldest !== undefined) records.delete(oldest);
      },
      find: async (id) => {
        const record = records.get(keyOf(id));
        return record && record.expiresAt > Date.now() ? record.payload : undefined;
      },
      findByUid: async (uid) => find((key, payload) => key.startsWith(`${name}:`) && payload.uid === uid),
      // The issuer has no device flow.
      findByUserCode: async () => undefined,
      consume: async (id) => {
        const record = records.get(keyOf(id));
        if (record) record.payload.consumed = Math.floor(Date.now() / 1_000);
      },
      destroy: async (id) => void records.delete(keyOf(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, { payload }] of records) if (payload.grantId === grantId) records.delete(key);
      },
    };
  };
}
