import type { ReactNode } from 'react';
import { type RecordCalls, useRefresh } from '../data/records.ts';
import { mergePatch } from '../editing/merge-patch.ts';
import type { Members } from '../editing/paths.ts';
import { announceStored } from '../editing/use-editing.ts';
import type { RecordEditor, Saved } from '../editing/use-record-editor.ts';
import { navigate } from '../shell/location.ts';
import { fill } from '../texts/catalogue.ts';
import { useCatalogue, useLanguage } from '../texts/use-texts.tsx';
import type { Toast } from '../ui/toasts.tsx';
import { hasHistory } from './history-calls.ts';
import { historyTexts } from './texts.ts';
import { type Changed, undoAll, undoChange, undoDeletion } from './undo.ts';
import { UndoButton, undoErrorText } from './undo-button.tsx';

/** Makes the buttons `Undo` of the toasts after changes. */
export function useUndo() {
  const refresh = useRefresh();
  const t = useCatalogue(historyTexts);
  const language = useLanguage();
  /** Its lists are read again afterwards. */
  const of = (kind: string, undo: () => Promise<unknown>): ReactNode => {
    const work = () => undo().then(() => refresh(kind));
    return <UndoButton undo={() => work().then(() => undefined)} />;
  };
  const ofChange = ({ kind, calls }: Pick<RecordEditor, 'kind' | 'calls'>, id: string, undo: () => Promise<unknown>) =>
    of(kind, async () => {
      await undo();
      announceStored(kind, await calls.get(id));
    });
  /** Deletes a new record. @param leave is called when it is gone again */
  const ofCreation = (
    kind: string,
    calls: Pick<RecordCalls, 'delete'>,
    { id, etag }: Changed,
    leave?: () => void,
  ): ReactNode =>
    of(kind, async () => {
      await calls.delete(id, { ifMatch: etag });
      leave?.();
    });

  return {
    of,
    ofChange,
    ofCreation,
    /** Sets members back to what they were. */
    ofPatch: (kind: string, calls: Pick<RecordCalls, 'update'>, { id, etag }: Changed, former: Members): ReactNode =>
      of(kind, async () => announceStored(kind, await calls.update(id, former, { ifMatch: etag }))),
    /**
     * @param leave is called when a new record is gone again
     * @returns nothing to press if the save has changed nothing
     */
    ofSave: (editor: RecordEditor, { record: { id }, etag, before, sent }: Saved, leave?: () => void): ReactNode => {
      const { kind, calls } = editor;
      if (!before) return ofCreation(kind, calls, { id, etag }, leave);
      if (before.etag === etag) return undefined;
      return ofChange(editor, id, () =>
        hasHistory(kind)
          ? undoChange(kind, { id, etag })
          : calls.update(id, mergePatch(sent, before.record), { ifMatch: etag }),
      );
    },
    ofDeletion: (kind: string, id: string): ReactNode => of(kind, () => undoDeletion(kind, id)),
    /** One button for all changes of an edit. */
    ofMany: <Each,>(kind: string, changes: readonly Each[], undo: (change: Each) => Promise<unknown>): ReactNode => {
      if (changes.length === 0) return undefined;
      const work = async (): Promise<Toast> => {
        const { done, failed, first } = await undoAll(changes, undo);
        await refresh(kind);
        if (failed === 0) return { text: fill(t.undoneMany, { count: done }) };
        const message = undoErrorText(first, language);
        return { kind: 'failed', text: fill(t.undoneSome, { count: done, failed, message }) };
      };
      return <UndoButton undo={work} />;
    },
  };
}

/** Leaves the screen of a record that is gone, if it is still shown. */
export function leaveRecord(id: string, to: string): void {
  if (decodeURIComponent(location.hash).split(/[/?]/).includes(id)) navigate(to, { isDone: true });
}
