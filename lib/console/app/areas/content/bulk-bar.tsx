import { useMutation } from '@tanstack/react-query';
import { client } from '../../data/client.ts';
import { sendChanges } from '../../data/many-changes.ts';
import { useRefresh } from '../../data/records.ts';
import { useMay } from '../../data/session-context.tsx';
import { editingTexts } from '../../editing/texts.ts';
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
  const confirm = useConfirm();
  const toast = useToast();
  const onError = useFailureToast();
  const refresh = useRefresh();
  const mayUpdate = useMay('cms:entry:update');
  const mayDelete = useMay('cms:entry:delete');
  const work = useMutation({
    mutationFn: (action: BulkAction) => sendChanges(bulkChanges(modelId, ids, action), client.manage.changes),
    onSuccess: ({ done, failed }) => {
      const [first] = failed;
      if (!first) toast({ text: fill(t.bulkDone, { count: done }) });
      else {
        const values = { count: done, failed: failed.length, message: first.message };
        toast({ kind: 'failed', text: fill(t.bulkFailed, values) });
      }
      clear();
    },
    onError,
    onSettled: () => refresh(entryKind(modelId)),
  });
  const askAndDelete = async () => {
    const title = fill(t.deleteEntriesTitle, { count: ids.length });
    const question = { title, text: shared.deleteText, action: shared.delete, isDangerous: true };
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
