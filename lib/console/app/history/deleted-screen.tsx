import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { DeletedRecord } from '#lib/client/types.ts';
import { kindLabels } from '#lib/kinds/kind-labels.ts';
import { Actor } from '../areas/activity/event-table.tsx';
import { client } from '../data/client.ts';
import { useRecordList } from '../data/record-list.ts';
import { useRefresh } from '../data/records.ts';
import { useSearch } from '../shell/location.ts';
import { fill } from '../texts/catalogue.ts';
import { useCatalogue, useLanguage, useShownTime } from '../texts/use-texts.tsx';
import { ButtonsHead, CardTable, Heads } from '../ui/card-table.tsx';
import { Cell } from '../ui/cell.tsx';
import { ChoiceFilter } from '../ui/filters.tsx';
import { ListBody } from '../ui/list-body.tsx';
import { useFailureToast, useToast } from '../ui/toasts.tsx';
import type { DeletedProps } from './deleted.tsx';
import { historyOf } from './history-calls.ts';
import { historyTexts } from './texts.ts';
import { useUndo } from './use-undo.tsx';

/** The deleted records of an area, one kind at a time, newest first. */
export function Area({ kinds, back }: DeletedProps) {
  const t = useCatalogue(historyTexts);
  const language = useLanguage();
  const [search] = useSearch();
  const kind = kinds.find((candidate) => candidate === search.get('kind')) ?? kinds[0] ?? '';
  const list = useRecordList<DeletedRecord>(
    'deleted',
    { list: ({ cursor } = {}) => client.manage.deleted({ kind, cursor: cursor as string | undefined }) as never },
    { kind },
    { staleTime: 0 },
  );
  const [first = '', ...others] = kinds;
  const labelOf = (path: string) => kindLabels[path]?.[language] ?? path;
  return (
    <>
      <header className="screen-head">
        <div>
          <Link href={back.to} className="back-link">
            {back.text}
          </Link>
          <h1>{t.deleted}</h1>
        </div>
      </header>
      <p className="hint">{t.deletedIntro}</p>
      {others.length > 0 && (
        <div className="toolbar">
          <ChoiceFilter
            name="kind"
            label={t.kind}
            any={labelOf(first)}
            options={others.map((path) => ({ value: path, label: labelOf(path) }))}
          />
        </div>
      )}
      <ListBody list={list} empty={t.noneDeleted} isFiltered={false}>
        <CardTable
          label={t.deleted}
          heads={
            <>
              <Heads texts={[t.record, t.when, t.who]} />
              <ButtonsHead text={t.restoreRecord} />
            </>
          }
        >
          {list.rows.map((deleted) => (
            <Row key={`${deleted.kind}/${deleted.id}`} deleted={deleted} />
          ))}
        </CardTable>
      </ListBody>
    </>
  );
}

function Row({ deleted: { kind, id, name, at, actor, version } }: { readonly deleted: DeletedRecord }): ReactNode {
  const t = useCatalogue(historyTexts);
  const shownTime = useShownTime();
  const toast = useToast();
  const refresh = useRefresh();
  const undo = useUndo();
  // Lists of entries have the key of their database.
  const listKey = kind === 'cms-entries' ? `${kind}/${id.split('/')[0]}` : kind;
  const refreshBoth = () => Promise.all([refresh('deleted'), refresh(listKey)]);
  const restore = useMutation({
    mutationFn: () => historyOf(kind, id).restore(version),
    onSuccess: async ({ etag }) => {
      const action = undo.of('deleted', async () => {
        await client.manage.records(kind).delete(id, { ifMatch: etag });
        await refresh(listKey);
      });
      toast({ text: t.restored, action });
      await refreshBoth();
    },
    onError: useFailureToast(),
  });
  return (
    <tr>
      <th scope="row" dir="auto">
        {name}
      </th>
      <Cell label={t.when}>
        <time dateTime={at}>{shownTime(at)}</time>
      </Cell>
      <Cell label={t.who}>
        <Actor actor={actor} />
      </Cell>
      <Cell>
        <button
          type="button"
          className="button small"
          aria-label={fill(t.restoreOf, { name })}
          disabled={restore.isPending}
          onClick={() => restore.mutate()}
        >
          {t.restoreRecord}
        </button>
      </Cell>
    </tr>
  );
}
