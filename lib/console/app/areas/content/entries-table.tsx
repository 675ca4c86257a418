import { Link } from 'wouter';
import type { Field, Model } from '#lib/domain/cms/cms-model.ts';
import { useLocalized, useProfile } from '../../data/session-context.tsx';
import { useLanguageName } from '../../languages/use-language-name.ts';
import { useTargetNames } from '../../relations/targets.ts';
import { ScheduledTag } from '../../schedule/schedule.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale, useLanguage, useTexts } from '../../texts/use-texts.tsx';
import { CardTable, Heads } from '../../ui/card-table.tsx';
import { Cell } from '../../ui/cell.tsx';
import { SelectAllCell, SelectCell } from '../../ui/select-cells.tsx';
import type { useSelection } from '../../ui/use-selection.ts';
import { missingTranslations, titleFieldOf, titleOf } from './database-model.ts';
import { cellText, directionOfSort, nextSort, shownColumns, sortableKeys } from './entry-columns.ts';
import { contentPaths } from './paths.ts';
import { useTargetSource } from './targets.ts';
import { contentTexts } from './texts.ts';
import type { Entry } from './types.ts';

interface Props {
  readonly model: Model;
  readonly entries: readonly Entry[];
  readonly selection: ReturnType<typeof useSelection>;
  readonly columns: string | null;
  readonly sort: string | null;
  readonly sortBy: (sort: string | null) => void;
}

/** A row for each entry: its title, the chosen fields, its state, and its missing translations. */
export function EntriesTable({ model, entries, selection, columns, sort, sortBy }: Props) {
  const t = useCatalogue(contentTexts);
  const localized = useLocalized();
  const fields = shownColumns(model, columns);
  const sortable = sortableKeys(model);
  const title = titleFieldOf(model.fields);
  const head = (key: string, name: string) => (
    <SortHeader
      key={key}
      sortKey={sortable.has(key) || key === 'updatedAt' ? key : undefined}
      name={name}
      sort={sort}
      sortBy={sortBy}
    />
  );
  return (
    <CardTable
      label={t.entries}
      heads={
        <>
          <SelectAllCell selection={selection} />
          {head(title?.key ?? 'id', title ? localized(title.name) || title.key : t.title)}
          {fields.map(({ key, name }) => head(key, localized(name) || key))}
          <Heads texts={[t.status, t.translations]} />
          {head('updatedAt', t.updated)}
        </>
      }
    >
      {entries.map((entry) => (
        <Row key={entry.id} model={model} entry={entry} entries={entries} fields={fields} selection={selection} />
      ))}
    </CardTable>
  );
}

interface SortProps extends Pick<Props, 'sort' | 'sortBy'> {
  readonly name: string;
  /** Absent for a column that cannot be sorted. */
  readonly sortKey: string | undefined;
}

/** A column header. Each press changes the sort order: ascending, descending, none. */
function SortHeader({ name, sortKey, sort, sortBy }: SortProps) {
  const t = useCatalogue(contentTexts);
  if (sortKey === undefined) {
    return (
      <th scope="col" dir="auto">
        {name}
      </th>
    );
  }
  const direction = directionOfSort(sort, sortKey);
  return (
    <th scope="col" aria-sort={direction ?? 'none'}>
      <button
        type="button"
        className="sort-button"
        aria-label={fill(t.sortBy, { name })}
        onClick={() => sortBy(nextSort(sort, sortKey))}
      >
        <span dir="auto">{name}</span>
        <span aria-hidden="true">{direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : '↕'}</span>
      </button>
    </th>
  );
}

interface RowProps extends Pick<Props, 'model' | 'entries' | 'selection'> {
  readonly entry: Entry;
  readonly fields: readonly Field[];
}

function Row({ model, entry, entries, fields, selection }: RowProps) {
  const t = useCatalogue(contentTexts);
  const localized = useLocalized();
  const locale = useFormatLocale();
  const { defaultLanguage } = useProfile().workspace;
  const name = titleOf(model.fields, entry, [useLanguage(), defaultLanguage]);
  return (
    <tr>
      <SelectCell selection={selection} id={entry.id} name={name} />
      <th scope="row" dir="auto">
        <Link href={contentPaths.entry(model.id, entry.id)}>{name}</Link>
      </th>
      {fields.map((field) => (
        <Cell key={field.key} label={localized(field.name) || field.key} dir="auto">
          <EntryCell field={field} entry={entry} entries={entries} />
        </Cell>
      ))}
      <Cell label={t.status}>
        <span className={`tag ${entry.published ? 'good' : 'warns'}`}>{entry.published ? t.published : t.draft}</span>{' '}
        <ScheduledTag of={entry} />
      </Cell>
      <Cell label={t.translations}>
        <Translations model={model} entry={entry} />
      </Cell>
      <Cell label={t.updated} className="nowrap">
        {new Date(entry.updatedAt).toLocaleDateString(locale, { dateStyle: 'medium' })}
      </Cell>
    </tr>
  );
}

/** One value in a row. */
function EntryCell({ field, entry, entries }: Pick<RowProps, 'entry' | 'entries'> & { readonly field: Field }) {
  const t = useCatalogue(contentTexts);
  const shared = useTexts();
  const locale = useFormatLocale();
  const languages = [useLanguage(), useProfile().workspace.defaultLanguage];
  // Those of the whole table, so that one call reads its relations.
  const ids = field.relation ? entries.flatMap(({ values }) => idsOf(values[field.key])) : [];
  const names = useTargetNames(useTargetSource(field.relation?.to ?? ''), ids);
  return cellText(field, entry.values[field.key], {
    languages,
    locale,
    yes: shared.yes,
    no: shared.no,
    images: (count) => fill(t.images, { count }),
    nameOf: (_, id) => names?.get(id)?.name ?? id,
  });
}

const idsOf = (value: unknown): readonly string[] =>
  [value ?? []].flat().filter((id): id is string => typeof id === 'string');

function Translations({ model, entry }: Pick<RowProps, 'model' | 'entry'>) {
  const t = useCatalogue(contentTexts);
  const { languages } = useProfile().workspace;
  const languageName = useLanguageName();
  const missing = missingTranslations(model.fields, entry.values, languages);
  if (missing.length === 0) return <span className="hint">{t.complete}</span>;
  return (
    <span className="row">
      {missing.map(({ language, fields }) => (
        <span key={language} className="tag warns">
          {fill(t.missingIn, { language: languageName(language), count: fields.length })}
        </span>
      ))}
    </span>
  );
}
