import type { RecordPage, StoredRecord, VersionedRecord } from '#lib/client/records.ts';
import type { RecordVersion } from '#lib/client/types.ts';
import { kindsWithHistory } from '#lib/kinds/kind-labels.ts';
import { client } from '../data/client.ts';
import { workspaceCalls } from '../data/workspace-calls.ts';

/** Whether records of a kind have versions. @param kind in query keys, such as `cms-entries/chefs` */
export const hasHistory = (kind: string): boolean => kindsWithHistory.includes(kind.split('/')[0] ?? '');

interface HistoryCalls {
  /** Newest first. */
  versions(query: {
    readonly limit?: number;
    readonly cursor?: string | undefined;
  }): Promise<RecordPage<RecordVersion>>;
  version(version: string): Promise<StoredRecord>;
  current(): Promise<VersionedRecord>;
  /** @param ifMatch the version that it replaces; absent for a deleted record */
  restore(version: string, ifMatch?: string): Promise<VersionedRecord>;
}

/** The calls for the history of one record. @param kind in query keys, where a database stands beside its entries */
export function historyOf(kind: string, id: string): HistoryCalls {
  const { workspace, records } = client.manage;
  const once = (ifMatch: string | undefined) => ({ ifMatch, idempotencyKey: crypto.randomUUID() });
  if (kind === 'workspace') {
    return {
      ...workspace,
      current: () => workspaceCalls.get(id),
      restore: (version, ifMatch) => workspace.restore(version, once(ifMatch)),
    };
  }
  const [path = '', ...ids] = `${kind}/${id}`.split('/');
  const own = records(path);
  const whole = ids.join('/');
  return {
    versions: (query) => own.versions(whole, query),
    version: (version) => own.version(whole, version),
    current: () => own.get(whole),
    restore: (version, ifMatch) => own.restore(whole, version, once(ifMatch)),
  };
}
