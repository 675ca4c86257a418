import { useMutation } from '@tanstack/react-query';
import { ApiError } from '#lib/client/api-error.ts';
import { type RecordCalls, useRefresh } from '../data/records.ts';
import { hasHistory } from '../history/history-calls.ts';
import { historyTexts } from '../history/texts.ts';
import { useHold } from '../history/use-hold.tsx';
import { useUndo } from '../history/use-undo.tsx';
import { navigate } from '../shell/location.ts';
import { fill } from '../texts/catalogue.ts';
import { useCatalogue } from '../texts/use-texts.tsx';
import { useConfirm } from '../ui/confirm.tsx';
import { useFailureToast, useToast } from '../ui/toasts.tsx';
import { editingTexts } from './texts.ts';
import type { RecordEditor } from './use-record-editor.ts';

interface Props {
  readonly kind: string;
  readonly calls: Pick<RecordCalls, 'delete'>;
  readonly id: string;
  readonly name: string;
  /** The question. @default - one with the name of the record */
  readonly title?: string;
  /** The next screen after the deletion. */
  readonly back: string;
  readonly editor: RecordEditor;
  /** Shows the records that refer to this one. @default - a message */
  readonly showInUse?: (error: ApiError | undefined) => void;
}

/** Deletes the record of a form after a confirmation; one without versions when its toast ends. */
export function DeleteButton({ kind, calls, id, name, title, back, editor, showInUse }: Props) {
  const t = useCatalogue(editingTexts);
  const history = useCatalogue(historyTexts);
  const confirm = useConfirm();
  const toast = useToast();
  const undo = useUndo();
  const fail = useFailureToast();
  const refresh = useRefresh();
  const hold = useHold(kind);
  const leave = () => {
    editor.discard();
    navigate(back, { isDone: true });
  };
  const remove = useMutation({
    mutationFn: () => calls.delete(id),
    onMutate: () => showInUse?.(undefined),
    onSuccess: async () => {
      toast({ text: t.deleted, action: undo.ofDeletion(kind, id) });
      leave();
      await refresh(kind);
    },
    onError: (error) => {
      if (showInUse && error instanceof ApiError && error.code === 'in_use') showInUse(error);
      else fail(error);
    },
  });
  const ask = async () => {
    const question = {
      title: title ?? fill(t.deleteTitle, { name }),
      text: hasHistory(kind) ? history.deleteText : t.deleteText,
      action: t.delete,
    };
    if (!(await confirm({ ...question, isDangerous: true }))) return;
    if (hasHistory(kind)) remove.mutate();
    else {
      leave();
      hold(name, [id], (options) => calls.delete(id, options));
    }
  };
  return (
    <button type="button" className="button quiet warns" disabled={remove.isPending} onClick={ask}>
      {t.delete}
    </button>
  );
}
