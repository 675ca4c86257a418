import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { useRecordList } from '../../data/record-list.ts';
import type { RecordCalls } from '../../data/records.ts';
import { useLocalized, useMay } from '../../data/session-context.tsx';
import { useSearch } from '../../shell/location.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale } from '../../texts/use-texts.tsx';
import { ListBody } from '../../ui/list-body.tsx';
import { Failure, Loading, Nothing } from '../../ui/states.tsx';
import { useSelection } from '../../ui/use-selection.ts';
import { BulkBar } from './bulk-bar.tsx';
import { EntriesTable } from './entries-table.tsx';
import { filterQuery, readFilters } from './entry-filters.ts';
import { EntryTools } from './entry-tools.tsx';
import { FilterBar } from './filter-bar.tsx';
import { withMissingTexts } from './missing-texts.ts';
import { contentPaths } from './paths.ts';
import { entryCalls, entryKind, useDatabase } from './records.ts';
import { contentTexts } from './texts.ts';
import type { Entry } from './types.ts';

/** The entries of one database. */
export function Entries({ modelId }: { readonly modelId: string }) {
  const { model, error, reload, isMissing } = useDatabase(modelId);
  if (error) return <Failure error={error} retry={reload} />;
  if (isMissing) return <Nothing />;
  return model ? <EntryList model={model} /> : <Loading />;
}

function EntryList({ model }: { readonly model: Model }) {
  const t = useCatalogue(contentTexts);
  const localized = useLocalized();
  const [search, setSearch] = useSearch();
  const mayCreate = useMay('cms:entry:create');
  const mayManage = useMay('cms:model:manage');
  const sort = search.get('sort');
  const missing = search.get('missing');
  const filters = readFilters(search, model);
  const query = { q: search.get('q'), published: search.get('published'), sort, missing, filter: filterQuery(filters) };
  const { calls, looked, stop } = useMissingTexts(model, entryCalls(model.id), missing);
  const list = useRecordList<Entry>(
    entryKind(model.id),
    calls,
    query,
    // A focus of the window does not repeat a search through all entries.
    missing === null ? {} : { staleTime: Number.POSITIVE_INFINITY },
  );
  const selection = useSelection(list.rows.map(({ id }) => id));
  const isFiltered = Boolean(query.q || query.published || missing || filters.length > 0);
  return (
    <>
      <header className="screen-head">
        <div>
          <Link href={contentPaths.databases} className="back-link">
            {t.databases}
          </Link>
          <h1 dir="auto">{localized(model.name) || model.id}</h1>
        </div>
        <div className="actions">
          {mayManage && (
            <Link href={contentPaths.database(model.id)} className="button quiet">
              {t.editDatabase}
            </Link>
          )}
          {mayCreate && (
            <Link href={contentPaths.newEntry(model.id)} className="button primary">
              {t.newEntry}
            </Link>
          )}
        </div>
      </header>
      <EntryTools model={model} />
      <FilterBar model={model} />
      <BulkBar modelId={model.id} ids={selection.ids} clear={selection.clear} />
      <Progress looked={looked} stop={stop} />
      <ListBody list={list} empty={t.noEntries} isFiltered={isFiltered}>
        <EntriesTable
          model={model}
          entries={list.rows}
          selection={selection}
          columns={search.get('columns')}
          sort={sort}
          sortBy={(sort) => setSearch({ sort })}
        />
      </ListBody>
    </>
  );
}

/**
 * The list of entries with missing texts, the progress of a search, and a way to stop it.
 * @param missing the language; null without a search
 */
function useMissingTexts(model: Model, calls: Pick<RecordCalls, 'list'>, missing: string | null) {
  const [looked, setLooked] = useState<number>();
  const runs = useRef(0);
  const stop = () => {
    runs.current++;
    setLooked(undefined);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: another language, or another screen, ends a search.
  useEffect(() => stop, [missing]);
  const list: RecordCalls['list'] = async (query) => {
    const run = ++runs.current;
    const isWanted = () => runs.current === run;
    const note = (count: number) => isWanted() && setLooked(count);
    try {
      return await withMissingTexts(model, calls, { note, isWanted }).list(query);
    } finally {
      if (isWanted()) setLooked(undefined);
    }
  };
  return { calls: missing === null ? calls : { list }, looked, stop };
}

/** The progress of the search for missing texts. */
function Progress({ looked, stop }: Pick<ReturnType<typeof useMissingTexts>, 'looked' | 'stop'>) {
  const t = useCatalogue(contentTexts);
  const locale = useFormatLocale();
  if (looked === undefined) return null;
  return (
    <div className="notice row">
      <p role="status">{fill(t.looked, { count: looked.toLocaleString(locale) })}</p>
      <button type="button" className="button small" onClick={stop}>
        {t.stopLooking}
      </button>
    </div>
  );
}
