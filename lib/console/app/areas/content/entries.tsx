import { Link } from 'wouter';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { useRecordList } from '../../data/records.ts';
import { useLocalized, useMay } from '../../data/session-context.tsx';
import { useSearch } from '../../shell/location.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Empty, Failure, Loading, Nothing } from '../../ui/states.tsx';
import { useSelection } from '../../ui/use-selection.ts';
import { BulkBar } from './bulk-bar.tsx';
import { ColumnChooser } from './column-chooser.tsx';
import { EntriesTable } from './entries-table.tsx';
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
  const shared = useTexts();
  const localized = useLocalized();
  const [search, setSearch] = useSearch();
  const [mayCreate, mayManage] = [useMay('cms:entry:create'), useMay('cms:model:manage')];
  const maySeeDrafts = useMay('cms:entry:read-unpublished');
  const query = { q: search.get('q'), published: search.get('published'), sort: search.get('sort') };
  const list = useRecordList<Entry>(entryKind(model.id), entryCalls(model.id), query);
  const selection = useSelection(list.rows.map(({ id }) => id));
  const isFiltered = Boolean(query.q || query.published);
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
      <div className="toolbar">
        <SearchBox value={query.q ?? ''} onSearch={(q) => setSearch({ q })} label={t.searchEntries} />
        {maySeeDrafts && (
          <label className="field">
            <span className="label">{t.status}</span>
            <select
              value={query.published ?? ''}
              onChange={({ target }) => setSearch({ published: target.value || null })}
            >
              <option value="">{shared.all}</option>
              <option value="true">{t.published}</option>
              <option value="false">{t.draft}</option>
            </select>
          </label>
        )}
        <ColumnChooser model={model} chosen={search.get('columns')} choose={(columns) => setSearch({ columns })} />
      </div>
      <BulkBar modelId={model.id} ids={selection.ids} clear={selection.clear} />
      {list.error ? (
        <Failure error={list.error} retry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Loading />
      ) : list.rows.length === 0 ? (
        <Empty>{isFiltered ? shared.noMatch : t.noEntries}</Empty>
      ) : (
        <EntriesTable
          model={model}
          entries={list.rows}
          selection={selection}
          columns={search.get('columns')}
          sort={query.sort}
          sortBy={(sort) => setSearch({ sort })}
        />
      )}
      <div className="row">
        <MoreButton list={list} />
      </div>
    </>
  );
}
