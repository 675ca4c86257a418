import { useState } from 'react';
import { ApiError, type ErrorDetail } from '#lib/client/api-error.ts';
import type { VersionedRecord } from '#lib/client/records.ts';
import { noticeEndOfSession } from '../data/query-client.ts';
import type { RecordCalls } from '../data/records.ts';
import type { Draft } from '../drafts/draft-store.ts';
import { mergePatch } from './merge-patch.ts';
import { type Members, withValueAt } from './paths.ts';
import { type Editing, type EditorOptions, useEditing } from './use-editing.ts';

/** A concurrent write has stored another version. `theirs` is null after a deletion. */
export interface Conflict {
  readonly base: Members;
  readonly mine: Members;
  readonly theirs: VersionedRecord | null;
}

/** A stored record, the version before unless it is new, and what was sent. */
export interface Saved extends VersionedRecord {
  readonly before: { readonly record: Members; readonly etag: string } | undefined;
  readonly sent: Members;
}

/** The error of the last save. */
interface Refusal {
  readonly faults: readonly ErrorDetail[];
  readonly failure?: unknown;
  readonly conflict?: Conflict | undefined;
}

const nothingRefused: Refusal = { faults: [] };

/**
 * Edits one record. It keeps unsaved changes in the browser, saves with `If-Match`, and keeps both versions after a
 * conflict. `EditorForm` shows all of it.
 */
export function useRecordEditor(options: EditorOptions) {
  const { calls, id, blank } = options;
  const { editing, edit, settle, restore, ...state } = useEditing(options);
  const [refusal, setRefusal] = useState<Refusal>(nothingRefused);
  const [isSaving, setSaving] = useState(false);
  const [idempotencyKey] = useState(() => crypto.randomUUID());

  /**
   * @param also properties that are saved with the changes, e.g. `published`; they stay unchanged if nothing is stored
   * @returns the stored record, or undefined after an error, which the form shows
   */
  const save = async (also: Members = {}): Promise<Saved | undefined> => {
    if (!editing || isSaving) return undefined;
    const sent = { ...editing, value: { ...editing.value, ...also } };
    setSaving(true);
    setRefusal(nothingRefused);
    try {
      const saved = await store(calls, id, sent, idempotencyKey);
      await settle(saved);
      return { ...saved, before: versionOf(editing), sent: sent.value };
    } catch (error) {
      setRefusal(await refusalOf(error, calls, id, sent));
      return undefined;
    } finally {
      setSaving(false);
    }
  };

  return {
    ...state,
    ...refusal,
    ...options,
    isNew: id === undefined,
    isReady: editing !== undefined,
    value: editing?.value ?? blank ?? {},
    /** The version that the changes are based on. */
    storedValue: editing?.base ?? blank ?? {},
    isSaving,
    save,
    /** Sets a member by its path; `undefined` removes it. */
    change: (path: string, value: unknown) => {
      edit((now) => ({ ...now, value: withValueAt(now.value, path, value) }));
      const isElsewhere = (fault: ErrorDetail) => fault.path !== path && !fault.path.startsWith(`${path}.`);
      setRefusal((now) => ({ ...now, faults: now.faults.filter(isElsewhere) }));
    },
    /** Shows another draft of this screen. */
    restore: (other: Draft) => {
      setRefusal(nothingRefused);
      void restore(other);
    },
    /** Restores the stored version. */
    discard: () => {
      edit((now) => ({ ...now, value: now.base }));
      setRefusal(nothingRefused);
    },
    /** Continues from the other version with the changes on top; nothing is stored yet. */
    resolve: (value: Members) => {
      const theirs = refusal.conflict?.theirs;
      if (theirs) edit(() => ({ base: theirs.record, etag: theirs.etag, value }));
      setRefusal(nothingRefused);
    },
    closeConflict: () => setRefusal(nothingRefused),
  };
}

export type RecordEditor = ReturnType<typeof useRecordEditor>;

const versionOf = ({ base, etag }: Editing): Saved['before'] =>
  etag === undefined ? undefined : { record: base, etag };

const store = (calls: RecordCalls, id: string | undefined, { base, value, etag }: Editing, idempotencyKey: string) =>
  id === undefined
    ? calls.create(value, { idempotencyKey })
    : calls.update(id, mergePatch(base, value), { ifMatch: etag ?? '' });

async function refusalOf(error: unknown, calls: RecordCalls, id: string | undefined, now: Editing): Promise<Refusal> {
  if (!(error instanceof ApiError)) return { faults: [], failure: error };
  const versions = { base: now.base, mine: now.value };
  if (id !== undefined && error.status === 404) return { faults: [], conflict: { ...versions, theirs: null } };
  if (id !== undefined && error.status === 412) {
    try {
      return { faults: [], conflict: { ...versions, theirs: await calls.get(id) } };
    } catch (again) {
      const isGone = again instanceof ApiError && again.status === 404;
      return isGone ? { faults: [], conflict: { ...versions, theirs: null } } : { faults: [], failure: again };
    }
  }
  noticeEndOfSession(error);
  // A record that refers to this one is no error of a field.
  if (error.code === 'in_use') return { faults: [], failure: error };
  return error.errors.length > 0 ? { faults: error.errors } : { faults: [], failure: error };
}
