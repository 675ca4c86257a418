import { Link } from 'wouter';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { useRecordList } from '../../data/records.ts';
import { useLocalized, useMay } from '../../data/session-context.tsx';
import { useSearch } from '../../shell/location.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
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
  const [mayCreate, mayManage] = [useMay('cms:entry:create'), useMay('cms:model:manage')];
  const sort = search.get('sort');
  const missing = search.get('missing');
  const filters = readFilters(search, model);
  const query = { q: search.get('q'), published: search.get('published'), sort, missing, filter: filterQuery(filters) };
  const calls = entryCalls(model.id);
  const list = useRecordList<Entry>(
    entryKind(model.id),
    missing === null ? calls : withMissingTexts(model, calls),
    query,
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
