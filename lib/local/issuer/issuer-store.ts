import type { Adapter, AdapterPayload } from 'oidc-provider';

interface Kept {
  readonly payload: AdapterPayload;
  /** In milliseconds since 1970. */
  readonly until: number;
}

const keptMax = 10_000;

/** The logins under way of the local issuer. They end with the process. */
export function issuerStore(): (name: string) => Adapter {
  const kept = new Map<string, Kept>();
  const find = (matches: (key: string, payload: AdapterPayload) => boolean): AdapterPayload | undefined => {
    for (const [key, { payload, until }] of kept) {
      if (until <= Date.now()) kept.delete(key);
      else if (matches(key, payload)) return payload;
    }
    return undefined;
  };
  return (name) => {
    const keyOf = (id: string): string => `${name}:${id}`;
    return {
      upsert: async (id, payload, seconds = 0) => {
        kept.delete(keyOf(id));
        kept.set(keyOf(id), { payload, until: Date.now() + seconds * 1_000 });
        const [oldest] = kept.keys();
        if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest);
      },
      find: async (id) => {
        const one = kept.get(keyOf(id));
        return one && one.until > Date.now() ? one.payload : undefined;
      },
      findByUid: async (uid) => find((key, payload) => key.startsWith(`${name}:`) && payload.uid === uid),
      // There are no codes for devices.
      findByUserCode: async () => undefined,
      consume: async (id) => {
        const one = kept.get(keyOf(id));
        if (one) one.payload.consumed = Math.floor(Date.now() / 1_000);
      },
      destroy: async (id) => void kept.delete(keyOf(id)),
      revokeByGrantId: async (grantId) => {
        for (const [key, { payload }] of kept) if (payload.grantId === grantId) kept.delete(key);
      },
    };
  };
}
