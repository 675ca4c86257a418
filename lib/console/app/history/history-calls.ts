import type { StoredRecord, VersionedRecord } from '#lib/client/records.ts';
import type { AuditEvent } from '#lib/client/types.ts';
import { kindsWithHistory } from '#lib/kinds/kind-labels.ts';
import { transport } from '../data/client.ts';

/** A state of a record that a change has left. */
export interface Version extends Pick<AuditEvent, 'id' | 'at' | 'actor' | 'action' | 'changed'> {
  readonly isCurrent: boolean;
}

export interface DeletedRecord extends Pick<AuditEvent, 'at' | 'actor'> {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  /** The one to restore. */
  readonly version: string;
}

interface Page<Of> {
  readonly data: readonly Of[];
  readonly next: string | null;
}

/** Whether records of a kind have versions. @param kind in query keys, such as `cms-entries/chefs` */
export const hasHistory = (kind: string): boolean => kindsWithHistory.includes(kind.split('/')[0] ?? '');

/** The calls for the history of one record. @param kind in query keys, where a database stands beside its entries */
export function historyOf(kind: string, id: string) {
  const own = kind === 'workspace' ? [kind] : `${kind}/${id}`.split('/');
  const path = `/api/v1/manage/${own.map(encodeURIComponent).join('/')}`;
  const versioned = async (request: Parameters<typeof transport.versioned>[0]): Promise<VersionedRecord> => {
    const { value, etag } = await transport.versioned<StoredRecord>(request);
    return { record: value, etag };
  };
  return {
    /** Newest first. */
    versions: (query: { readonly limit?: number; readonly cursor?: string | undefined }): Promise<Page<Version>> =>
      transport.get(`${path}/versions`, query),
    version: (version: string): Promise<StoredRecord> =>
      transport.get(`${path}/versions/${encodeURIComponent(version)}`),
    current: () => versioned({ method: 'GET', path }),
    /** @param ifMatch the version that it replaces; absent for a deleted record */
    restore: (version: string, ifMatch?: string) =>
      versioned({
        method: 'POST',
        path: `${path}/restore`,
        json: { version },
        ifMatch,
        idempotencyKey: crypto.randomUUID(),
      }),
  };
}

/** The deleted records of a kind, newest first. */
export const deletedRecords = (query: {
  readonly kind?: string;
  readonly limit?: number;
  readonly cursor?: string | undefined;
}): Promise<Page<DeletedRecord>> => transport.get('/api/v1/manage/deleted', query);
