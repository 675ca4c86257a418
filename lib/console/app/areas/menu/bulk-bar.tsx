import { useMutation } from '@tanstack/react-query';
import { client } from '../../data/client.ts';
import { sendChanges } from '../../data/many-changes.ts';
import { useRefresh } from '../../data/records.ts';
import { useProfile } from '../../data/session-context.tsx';
import { editingTexts } from '../../editing/texts.ts';
import { undoOneOfMany } from '../../history/undo.ts';
import { useUndo } from '../../history/use-undo.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { Options } from '../../ui/options.tsx';
import { useFailureToast, useToast } from '../../ui/toasts.tsx';
import { menuTexts } from './texts.ts';
import { useCategories } from './use-categories.ts';

/** Makes the same change to all selected products. The changes are independent, so some may be refused. */
export function BulkBar({ ids, done }: { readonly ids: readonly string[]; readonly done: () => void }) {
  const t = useCatalogue(menuTexts);
  const shared = useCatalogue(editingTexts);
  const toast = useToast();
  const refresh = useRefresh();
  const undo = useUndo();
  const { id: authorId } = useProfile();
  const { options } = useCategories();
  const change = useMutation({
    mutationFn: (record: Readonly<Record<string, unknown>>) =>
      sendChanges(
        ids.map((id) => ({ method: 'PATCH', kind: 'menu-products', id, record })),
        (some) => client.manage.changes(some),
      ),
    onSuccess: ({ done: changed, failed: { length: failed } }, record) => {
      const count = changed.length;
      const members = Object.keys(record);
      const action = undo.ofMany('menu-products', changed, ({ id, etag = '' }) =>
        undoOneOfMany('menu-products', { id, etag }, { authorId, members }),
      );
      if (failed > 0) toast({ kind: 'failed', text: fill(t.changedSome, { count, failed }), action });
      else toast({ text: fill(t.changed, { count }), action });
      done();
    },
    onError: useFailureToast(),
    onSettled: () => refresh('menu-products'),
  });
  const button = (label: string, record: Readonly<Record<string, unknown>>) => (
    <button type="button" className="button small" disabled={change.isPending} onClick={() => change.mutate(record)}>
      {label}
    </button>
  );
  return (
    <section className="card row" aria-label={fill(shared.selected, { count: ids.length })}>
      <b>{fill(shared.selected, { count: ids.length })}</b>
      {button(t.publish, { published: true })}
      {button(t.unpublish, { published: false })}
      {button(t.markSoldout, { soldout: true })}
      {button(t.markAvailable, { soldout: false })}
      {options.length > 0 && (
        <select
          className="menu-move"
          aria-label={t.moveTo}
          value=""
          disabled={change.isPending}
          onChange={({ target }) => change.mutate({ categoryId: target.value })}
        >
          <option value="">{t.moveTo}</option>
          <Options of={options} />
        </select>
      )}
    </section>
  );
}
