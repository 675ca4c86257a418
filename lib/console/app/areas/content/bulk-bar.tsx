import { useMutation } from '@tanstack/react-query';
import { client } from '../../data/client.ts';
import { sendChanges } from '../../data/many-changes.ts';
import { useRefresh } from '../../data/records.ts';
import { useMay, useProfile } from '../../data/session-context.tsx';
import { editingTexts } from '../../editing/texts.ts';
import { historyTexts } from '../../history/texts.ts';
import { undoDeletion, undoOneOfMany } from '../../history/undo.ts';
import { useUndo } from '../../history/use-undo.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { useFailureToast, useToast } from '../../ui/toasts.tsx';
import { type BulkAction, bulkChanges } from './bulk.ts';
import { entryKind } from './records.ts';
import { contentTexts } from './texts.ts';

interface Props {
  readonly modelId: string;
  readonly ids: readonly string[];
  readonly clear: () => void;
}

/** The actions on the selected entries. */
export function BulkBar({ modelId, ids, clear }: Props) {
  const t = useCatalogue(contentTexts);
  const shared = useCatalogue(editingTexts);
  const history = useCatalogue(historyTexts);
  const confirm = useConfirm();
  const toast = useToast();
  const onError = useFailureToast();
  const refresh = useRefresh();
  const undo = useUndo();
  const { id: authorId } = useProfile();
  const mayUpdate = useMay('cms:entry:update');
  const mayDelete = useMay('cms:entry:delete');
  const work = useMutation({
    mutationFn: (action: BulkAction) => sendChanges(bulkChanges(modelId, ids, action), client.manage.changes),
    onSuccess: ({ done, failed }, what) => {
      const [first] = failed;
      const action = undo.ofMany(entryKind(modelId), done, ({ id, etag = '' }) =>
        what === 'delete'
          ? undoDeletion('cms-entries', id)
          : undoOneOfMany('cms-entries', { id, etag }, { authorId, members: ['published'] }),
      );
      if (!first) toast({ text: fill(t.bulkDone, { count: done.length }), action });
      else {
        const values = { count: done.length, failed: failed.length, message: first.message };
        toast({ kind: 'failed', text: fill(t.bulkFailed, values), action });
      }
      clear();
    },
    onError,
    onSettled: () => refresh(entryKind(modelId)),
  });
  const askAndDelete = async () => {
    const title = fill(t.deleteEntriesTitle, { count: ids.length });
    const question = { title, text: history.deleteText, action: shared.delete, isDangerous: true };
    if (await confirm(question)) work.mutate('delete');
  };
  const button = (action: 'publish' | 'unpublish') => (
    <button type="button" className="button small" disabled={work.isPending} onClick={() => work.mutate(action)}>
      {t[action]}
    </button>
  );
  if (ids.length === 0) return null;
  return (
    <div className="content-bulk">
      <span role="status">{fill(shared.selected, { count: ids.length })}</span>
      {mayUpdate && (
        <>
          {button('publish')}
          {button('unpublish')}
        </>
      )}
      {mayDelete && (
        <button
          type="button"
          className="button small quiet warns"
          disabled={work.isPending}
          onClick={() => void askAndDelete()}
        >
          {shared.delete}
        </button>
      )}
      <button type="button" className="button small quiet" onClick={clear}>
        {shared.clear}
      </button>
    </div>
  );
}
