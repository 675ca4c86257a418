import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '#lib/client/api-error.ts';
import type { RecordVersion } from '#lib/client/types.ts';
import { Actor, looks } from '../areas/activity/event-table.tsx';
import { activityTexts } from '../areas/activity/texts.ts';
import { useRecordList } from '../data/record-list.ts';
import { useRefresh } from '../data/records.ts';
import { differences } from '../editing/differences.ts';
import { Faults } from '../editing/editor-form.tsx';
import { shownValue } from '../editing/shown-value.ts';
import { announceStored } from '../editing/use-editing.ts';
import { fill } from '../texts/catalogue.ts';
import { useCatalogue, useShownTime, useTexts } from '../texts/use-texts.tsx';
import { ButtonsHead, CardTable, Heads } from '../ui/card-table.tsx';
import { Cell } from '../ui/cell.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ListBody } from '../ui/list-body.tsx';
import { Failure, Loading } from '../ui/states.tsx';
import { TableRegion } from '../ui/table-region.tsx';
import { useToast } from '../ui/toasts.tsx';
import type { HistoryDialogProps } from './history-button.tsx';
import { historyOf } from './history-calls.ts';
import { historyTexts } from './texts.ts';
import { isStale, undoChange } from './undo.ts';
import { useUndo } from './use-undo.tsx';

type Props = Omit<HistoryDialogProps, 'isOpen'>;

/** The versions of a record, and one of them beside what is stored now. */
export function Area({ isOpen, ...props }: HistoryDialogProps) {
  const t = useCatalogue(historyTexts);
  return (
    <Dialog title={t.history} isOpen={isOpen} close={props.close} isWide>
      <Content {...props} />
    </Dialog>
  );
}

function Content(props: Props) {
  const shared = useTexts();
  const [chosen, choose] = useState<RecordVersion>();
  if (chosen) return <Comparison {...props} version={chosen} back={() => choose(undefined)} />;
  return (
    <>
      <Versions {...props} choose={choose} />
      <div className="actions">
        <button type="button" className="button" onClick={props.close}>
          {shared.close}
        </button>
      </div>
    </>
  );
}

function Versions({
  editor: { kind, id },
  labelOf,
  choose,
}: Props & { readonly choose: (version: RecordVersion) => void }) {
  const t = useCatalogue(historyTexts);
  const actions = useCatalogue(activityTexts);
  const shownTime = useShownTime();
  const list = useRecordList<RecordVersion>(
    kind,
    {
      list: ({ cursor } = {}) => historyOf(kind, id ?? '').versions({ cursor: cursor as string | undefined }) as never,
    },
    { versionsOf: id },
  );
  return (
    <ListBody list={list} empty={t.noVersions} isFiltered={false}>
      <CardTable
        label={t.history}
        heads={
          <>
            <Heads texts={[t.when, t.who, t.what, t.changed]} />
            <ButtonsHead text={t.compare} />
          </>
        }
      >
        {list.rows.map((version) => (
          <tr key={version.id}>
            <Cell label={t.when}>
              <time dateTime={version.at}>{shownTime(version.at)}</time>
            </Cell>
            <Cell label={t.who}>
              <Actor actor={version.actor} />
            </Cell>
            <Cell label={t.what}>
              <span className={`tag ${looks[version.action]}`}>{actions[version.action]}</span>
            </Cell>
            <Cell label={version.changed.length > 0 ? t.changed : undefined} dir="auto">
              {[...new Set(version.changed.map(labelOf))].join('; ')}
            </Cell>
            <Cell>
              {version.isCurrent ? (
                <span className="tag">{t.current}</span>
              ) : (
                version.action !== 'delete' && (
                  <button
                    type="button"
                    className="button small"
                    aria-label={fill(t.compareWith, { time: shownTime(version.at) })}
                    onClick={() => choose(version)}
                  >
                    {t.compare}
                  </button>
                )
              )}
            </Cell>
          </tr>
        ))}
      </CardTable>
    </ListBody>
  );
}

/** A version beside what is stored now, which a restore replaces. */
function Comparison(props: Props & { readonly version: RecordVersion; readonly back: () => void }) {
  const { editor, labelOf, isReadOnly, version, back } = props;
  const { kind, id = '' } = editor;
  const t = useCatalogue(historyTexts);
  const history = historyOf(kind, id);
  const { data, error, refetch } = useQuery({
    queryKey: [kind, 'version', id, version.id],
    queryFn: async () => ({ was: await history.version(version.id), now: await history.current() }),
    staleTime: 0,
  });
  const restore = useRestore(props);
  return (
    <>
      {error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : data ? (
        <Differences was={data.was} now={data.now.record} labelOf={labelOf} at={version.at} />
      ) : (
        <Loading />
      )}
      <RestoreError error={restore.error} labelOf={labelOf} />
      {editor.isDirty && !isReadOnly && <p className="notice">{t.saveFirst}</p>}
      <div className="actions">
        <button type="button" className="button" onClick={back}>
          {t.toList}
        </button>
        {!isReadOnly && (
          <button
            type="button"
            className="button primary"
            // It stays enabled meanwhile: a disabled button would lose the focus, which then could not return.
            disabled={!data || editor.isDirty}
            onClick={() => data && !restore.isPending && restore.mutate(data.now.etag)}
          >
            {t.restore}
          </button>
        )}
      </div>
    </>
  );
}

/** Restores a version in place of the stored one with an ETag. */
function useRestore({ editor, version, close }: Props & { readonly version: RecordVersion }) {
  const { kind, calls, id = '' } = editor;
  const t = useCatalogue(historyTexts);
  const toast = useToast();
  const refresh = useRefresh();
  const undo = useUndo();
  return useMutation({
    mutationFn: (etag: string) => historyOf(kind, id).restore(version.id, etag),
    onSuccess: async ({ etag }, before) => {
      announceStored(kind, await calls.get(id));
      close();
      const action = etag !== before && undo.ofChange(editor, id, () => undoChange(kind, { id, etag }));
      toast({ text: t.restored, action });
      await refresh(kind);
    },
    // The newest is shown beside the version before the next attempt.
    onError: (error) => (isStale(error) ? refresh(kind) : undefined),
  });
}

function RestoreError({ error, labelOf }: { readonly error: unknown; readonly labelOf: Props['labelOf'] }) {
  const t = useCatalogue(historyTexts);
  if (!error) return null;
  if (isStale(error)) {
    return (
      <p className="notice failed" role="alert">
        {t.changedMeanwhile}
      </p>
    );
  }
  const faults = error instanceof ApiError ? error.errors : [];
  return <Faults faults={faults} failure={faults.length === 0 ? error : undefined} labelOf={labelOf} />;
}

interface DifferencesProps {
  readonly was: Readonly<Record<string, unknown>>;
  readonly now: Readonly<Record<string, unknown>>;
  /** The time of the version. */
  readonly at: string;
  readonly labelOf: (path: string) => string;
}

function Differences({ was, now, at, labelOf }: DifferencesProps) {
  const t = useCatalogue(historyTexts);
  const shared = useTexts();
  const title = fill(t.versionOf, { time: useShownTime()(at) });
  const found = differences({}, was, now);
  if (found.length === 0) return <p>{t.same}</p>;
  return (
    <TableRegion label={title}>
      <table className="conflict">
        <thead>
          <tr>
            <th scope="col">{t.changed}</th>
            <th scope="col">{title}</th>
            <th scope="col">{t.current}</th>
          </tr>
        </thead>
        <tbody>
          {found.map(({ path, mine, theirs }) => (
            <tr key={path}>
              <th scope="row" dir="auto">
                {labelOf(path)}
              </th>
              <td dir="auto">{shownValue(mine, shared)}</td>
              <td dir="auto">{shownValue(theirs, shared)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableRegion>
  );
}
