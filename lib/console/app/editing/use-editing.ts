import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { VersionedRecord } from '#lib/client/records.ts';
import { type RecordCalls, recordKeys } from '../data/records.ts';
import type { Draft } from '../drafts/draft-store.ts';
import { useClaimedDraft } from '../drafts/use-claimed-draft.ts';
import { useDraftWriter } from '../drafts/use-draft.ts';
import { isEqual, type Members } from './paths.ts';

export interface EditorOptions {
  /** The name of the kind in query and draft keys, such as `menu-products`. */
  readonly kind: string;
  readonly calls: RecordCalls;
  /** Absent for a new record. */
  readonly id?: string | undefined;
  /** The initial values of a new record. */
  readonly blank?: Members;
}

/** The state of an edit: the version that was read, and the current values. */
export interface Editing {
  readonly base: Members;
  /** The version for `If-Match`; absent for a new record. */
  readonly etag: string | undefined;
  readonly value: Members;
}

/** Forms of one record may be open on several screens, and a toast outlives the screen that has made it. */
const changesElsewhere = new EventTarget();

/**
 * Shows a record that was stored outside of its open forms in them. Those with unsaved changes keep them, and save over
 * no other version.
 */
export const announceStored = (kind: string, stored: VersionedRecord): void =>
  void changesElsewhere.dispatchEvent(new CustomEvent(`${kind}/${stored.record.id}`, { detail: stored }));

function useChangesElsewhere(name: string, show: (stored: VersionedRecord) => void): void {
  const shown = useRef(show);
  shown.current = show;
  useEffect(() => {
    const take = (event: Event) => shown.current((event as CustomEvent<VersionedRecord>).detail);
    changesElsewhere.addEventListener(name, take);
    return () => changesElsewhere.removeEventListener(name, take);
  }, [name]);
}

const unchanged = ({ record, etag }: VersionedRecord): Editing => ({ base: record, etag, value: record });

/** The stored version, reread for each form. */
const useStored = ({ kind, calls, id }: EditorOptions) =>
  useQuery({
    queryKey: recordKeys.one(kind, id ?? 'new'),
    queryFn: () => calls.get(id ?? ''),
    enabled: id !== undefined,
    staleTime: 0,
    gcTime: 0,
  });

/** The edited record, read from the service or restored from the browser. Unsaved changes stay in the browser. */
export function useEditing({ kind, calls, id, blank = {} }: EditorOptions) {
  const queries = useQueryClient();
  const { claim, take } = useClaimedDraft(`${kind}/${id ?? 'new'}`);
  const writer = useDraftWriter(claim?.key);
  const { data: found, error, refetch } = useStored({ kind, calls, id });
  const [editing, setEditing] = useState<Editing>();
  const [restoredAt, setRestoredAt] = useState<number>();
  const isStarted = useRef(false);

  useEffect(() => {
    if (isStarted.current || !claim || (id !== undefined && !found)) return;
    isStarted.current = true;
    const first = found ? unchanged(found) : { base: blank, etag: undefined, value: blank };
    const kept = claim.draft?.value as Editing | undefined;
    const isUnsent = kept !== undefined && !isEqual(kept.value, first.value);
    setEditing(isUnsent ? kept : first);
    if (isUnsent) setRestoredAt(claim.draft?.savedAt);
  }, [found, claim, id, blank]);

  const isDirty = editing !== undefined && !isEqual(editing.base, editing.value);
  useEffect(() => {
    // Restoring a draft does not change its time.
    if (isDirty && editing !== claim?.draft?.value) writer.put(editing);
    if (!isDirty && editing) {
      setRestoredAt(undefined);
      void writer.drop();
    }
  }, [editing, isDirty, writer, claim]);

  useChangesElsewhere(`${kind}/${id}`, (stored) =>
    setEditing((now) => (now && isEqual(now.base, now.value) ? unchanged(stored) : now)),
  );

  return {
    editing,
    /** Each change starts from the result of the previous one, also in quick succession. */
    edit: (change: (now: Editing) => Editing) => setEditing((now) => now && change(now)),
    restoredAt,
    /** Drafts of the same screen that no form has claimed, e.g. after a crash. */
    otherDrafts: claim?.others ?? [],
    /** Shows another draft. The changes in the form stay stored. */
    restore: (other: Draft) =>
      take(other.key, isDirty ? editing : undefined, ({ value, savedAt }) => {
        setEditing(value as Editing);
        setRestoredAt(savedAt);
      }),
    isDirty,
    loadError: error,
    reload: () => void refetch(),
    /** Continues from the stored version. */
    settle: async (saved: VersionedRecord) => {
      setEditing(unchanged(saved));
      queries.setQueryData(recordKeys.one(kind, saved.record.id), saved);
      await queries.invalidateQueries({ queryKey: [kind] });
    },
  };
}
