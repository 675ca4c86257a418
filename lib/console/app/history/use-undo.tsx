import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorText } from '../data/error-text.ts';
import { useRefresh } from '../data/records.ts';
import { mergePatch } from '../editing/merge-patch.ts';
import { editingTexts } from '../editing/texts.ts';
import { announceRestored } from '../editing/use-editing.ts';
import type { RecordEditor, Saved } from '../editing/use-record-editor.ts';
import { navigate } from '../shell/location.ts';
import { fill, type Language } from '../texts/catalogue.ts';
import { useCatalogue, useLanguage } from '../texts/use-texts.tsx';
import { type Toast, useToast } from '../ui/toasts.tsx';
import { hasHistory } from './history-calls.ts';
import { historyTexts } from './texts.ts';
import { isStale, NoEarlierVersion, undoAll, undoChange, undoDeletion } from './undo.ts';

/** Makes the buttons `Undo` of the toasts after changes. */
export function useUndo() {
  const refresh = useRefresh();
  const t = useCatalogue(historyTexts);
  const language = useLanguage();
  const button = (undo: () => Promise<Toast | undefined>): ReactNode => <UndoButton undo={undo} />;

  const ofChange = (editor: Pick<RecordEditor, 'kind' | 'calls'>, id: string, undo: () => Promise<unknown>) =>
    button(async () => {
      const { kind, calls } = editor;
      await undo();
      announceRestored(kind, await calls.get(id));
      await refresh(kind);
      return undefined;
    });

  return {
    button,
    ofChange,
    /**
     * @param leave is called when a new record is gone again
     * @returns nothing to press if the save has changed nothing
     */
    ofSave: (editor: RecordEditor, { record: { id }, etag, before, sent }: Saved, leave?: () => void): ReactNode => {
      const { kind, calls } = editor;
      if (!before) {
        if (!hasHistory(kind)) return undefined;
        return button(async () => {
          await calls.delete(id, { ifMatch: etag });
          leave?.();
          await refresh(kind);
          return undefined;
        });
      }
      if (before.etag === etag) return undefined;
      return ofChange(editor, id, () =>
        hasHistory(kind)
          ? undoChange(kind, { id, etag })
          : calls.update(id, mergePatch(sent, before.record), { ifMatch: etag }),
      );
    },
    ofDeletion: (kind: string, id: string): ReactNode => {
      if (!hasHistory(kind)) return undefined;
      return button(async () => {
        await undoDeletion(kind, id);
        await refresh(kind);
        return undefined;
      });
    },
    /** One button for all changes of an edit. */
    ofMany: <Each,>(kind: string, changes: readonly Each[], undo: (change: Each) => Promise<unknown>): ReactNode => {
      if (changes.length === 0) return undefined;
      return button(async () => {
        const { done, failed, first } = await undoAll(changes, undo);
        await refresh(kind);
        if (failed === 0) return { text: fill(t.undoneMany, { count: done }) };
        const message = undoErrorText(first, language);
        return { kind: 'failed', text: fill(t.undoneSome, { count: done, failed, message }) };
      });
    },
  };
}

/** Leaves the screen of a record that is gone, if it is still shown. */
export function leaveRecord(id: string, to: string): void {
  if (decodeURIComponent(location.hash).split(/[/?]/).includes(id)) navigate(to, { isDone: true });
}

function undoErrorText(error: unknown, language: Language): string {
  if (isStale(error)) return historyTexts[language].stale;
  return error instanceof NoEarlierVersion ? historyTexts[language].noEarlier : errorText(error, language);
}

/** It stands in a toast, outside of the screen that has made the change. */
function UndoButton({ undo }: { readonly undo: () => Promise<Toast | undefined> }) {
  const t = useCatalogue(historyTexts);
  const { undo: label } = useCatalogue(editingTexts);
  const toast = useToast();
  const language = useLanguage();
  const work = useMutation({
    mutationFn: undo,
    onSuccess: (told) => toast(told ?? { text: t.undone }),
    onError: (error) => toast({ kind: 'failed', text: undoErrorText(error, language) }),
  });
  return (
    <button type="button" className="button small" disabled={work.isPending} onClick={() => work.mutate()}>
      {label}
    </button>
  );
}
