import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { VersionedRecord } from '#lib/client/manage.ts';
import { type RecordCalls, recordKeys } from '../data/records.ts';
import { readDraft } from '../drafts/draft-store.ts';
import { useDraftKey, useDraftWriter } from '../drafts/use-draft.ts';
import { isEqual, type Members } from './paths.ts';

export interface EditorOptions {
  /** The name of the kind among queries and drafts, such as `menu-products`. */
  readonly kind: string;
  readonly calls: RecordCalls;
  /** Absent for a record that is still to be made. */
  readonly id?: string | undefined;
  /** The initial values of a new record. */
  readonly blank?: Members;
}

/** The state of an edit: the version that was read, and the values by now. */
export interface Editing {
  readonly base: Members;
  /** The version for `If-Match`; absent for a new record. */
  readonly etag: string | undefined;
  readonly value: Members;
}

/** The edited record, read from the service or restored from the browser. Unsaved changes stay in the browser. */
export function useEditing({ kind, calls, id, blank = {} }: EditorOptions) {
  const queries = useQueryClient();
  const key = useDraftKey(`${kind}/${id ?? 'new'}`);
  const writer = useDraftWriter(key);
  const stored = useQuery({
    queryKey: recordKeys.one(kind, id ?? 'new'),
    queryFn: () => calls.get(id ?? ''),
    enabled: id !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
  const [editing, setEditing] = useState<Editing>();
  const [restoredAt, setRestoredAt] = useState<number>();
  const isStarted = useRef(false);
  const found = stored.data;

  useEffect(() => {
    if (isStarted.current || (id !== undefined && !found)) return;
    isStarted.current = true;
    const first = found
      ? { base: found.record, etag: found.etag, value: found.record }
      : { base: blank, etag: undefined, value: blank };
    void readDraft(key).then((draft) => {
      const kept = draft?.value as Editing | undefined;
      const isUnsent = kept !== undefined && !isEqual(kept.value, first.value);
      setEditing(isUnsent ? kept : first);
      if (isUnsent) setRestoredAt(draft?.savedAt);
    });
  }, [found, key, id, blank]);

  const isDirty = editing !== undefined && !isEqual(editing.base, editing.value);
  useEffect(() => {
    if (isDirty) {
      writer.put(editing);
    } else if (editing) {
      setRestoredAt(undefined);
      void writer.drop();
    }
  }, [editing, isDirty, writer]);

  return {
    editing,
    /** Each change starts from the result of the previous one, also in quick succession. */
    edit: (change: (now: Editing) => Editing) => setEditing((now) => now && change(now)),
    restoredAt,
    isDirty,
    loadError: stored.error,
    reload: () => void stored.refetch(),
    /** Continues from the stored version. */
    settle: async ({ record, etag }: VersionedRecord) => {
      setEditing({ base: record, etag, value: record });
      queries.setQueryData(recordKeys.one(kind, record.id), { record, etag });
      await queries.invalidateQueries({ queryKey: [kind] });
    },
  };
}
