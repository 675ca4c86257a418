import { useMutation } from '@tanstack/react-query';
import { type RecordCalls, useRefresh } from '../data/records.ts';
import { navigate } from '../shell/location.ts';
import { fill } from '../texts/catalogue.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { useConfirm } from '../ui/confirm.tsx';
import { useFailureToast, useToast } from '../ui/toasts.tsx';
import type { RecordEditor } from './use-record-editor.ts';

interface Props {
  readonly kind: string;
  readonly calls: Pick<RecordCalls, 'delete'>;
  readonly id: string;
  readonly name: string;
  /** The next screen after the deletion. */
  readonly back: string;
  readonly editor: RecordEditor;
}

/** Deletes the record of a form after a confirmation. */
export function DeleteButton({ kind, calls, id, name, back, editor }: Props) {
  const t = useTexts();
  const confirm = useConfirm();
  const toast = useToast();
  const refresh = useRefresh();
  const remove = useMutation({
    mutationFn: () => calls.delete(id),
    onSuccess: async () => {
      editor.discard();
      toast({ text: t.deleted });
      navigate(back, { isDone: true });
      await refresh(kind);
    },
    onError: useFailureToast(),
  });
  const ask = async () => {
    const question = { title: fill(t.deleteTitle, { name }), text: t.deleteText, action: t.delete, isDangerous: true };
    if (await confirm(question)) remove.mutate();
  };
  return (
    <button type="button" className="button quiet warns" disabled={remove.isPending} onClick={ask}>
      {t.delete}
    </button>
  );
}
