import type { Model } from '#lib/domain/cms/cms-model.ts';
import { useLocalized, useMay, useProfile } from '../../data/session-context.tsx';
import { useLanguageName } from '../../languages/use-language-name.ts';
import { useSearch } from '../../shell/location.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { ChoiceFilter } from '../../ui/filters.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { titleFieldOf } from './database-model.ts';
import { shownColumns } from './entry-columns.ts';
import { contentTexts } from './texts.ts';

/** The filters and columns of the entries. They are stored in the URL. */
export function EntryTools({ model }: { readonly model: Model }) {
  const t = useCatalogue(contentTexts);
  const { all } = useTexts();
  const [search, setSearch] = useSearch();
  const maySeeDrafts = useMay('cms:entry:read-unpublished');
  const { languages } = useProfile().workspace;
  const languageName = useLanguageName();
  const hasTexts = languages.length > 1 && model.fields.some(({ localized }) => localized);
  return (
    <div className="toolbar">
      <SearchBox value={search.get('q') ?? ''} onSearch={(q) => setSearch({ q })} label={t.searchEntries} />
      {maySeeDrafts && (
        <ChoiceFilter
          name="published"
          label={t.status}
          any={all}
          options={[
            { value: 'true', label: t.published },
            { value: 'false', label: t.draft },
          ]}
        />
      )}
      {hasTexts && (
        <ChoiceFilter
          name="missing"
          label={t.texts}
          any={all}
          options={languages.map((code) => ({
            value: code,
            label: fill(t.missingTexts, { language: languageName(code) }),
          }))}
        />
      )}
      <ColumnChooser model={model} />
    </div>
  );
}

/** Chooses the fields that the table shows beside the title. */
function ColumnChooser({ model }: { readonly model: Model }) {
  const t = useCatalogue(contentTexts);
  const localized = useLocalized();
  const [search, setSearch] = useSearch();
  const shown = shownColumns(model, search.get('columns')).map(({ key }) => key);
  const title = titleFieldOf(model.fields);
  return (
    <details className="content-columns">
      <summary className="button">{t.columns}</summary>
      <fieldset className="card">
        <legend className="visually-hidden">{t.columns}</legend>
        {model.fields
          .filter((field) => field !== title)
          .map(({ key, name }) => (
            <label key={key} className="check">
              <input
                type="checkbox"
                checked={shown.includes(key)}
                onChange={({ target }) => {
                  const columns = target.checked ? [...shown, key] : shown.filter((column) => column !== key);
                  setSearch({ columns: columns.join() || noColumns });
                }}
              />
              <span dir="auto">{localized(name) || key}</span>
            </label>
          ))}
      </fieldset>
    </details>
  );
}

/** An empty list would mean the default columns. */
const noColumns = '-';
