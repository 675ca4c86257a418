import type { Model } from '#lib/domain/cms/cms-model.ts';
import { useMay, useProfile } from '../../data/session-context.tsx';
import { useLanguageName } from '../../languages/use-language-name.ts';
import { useSearch } from '../../shell/location.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { ChoiceFilter } from '../../ui/filters.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { ColumnChooser } from './column-chooser.tsx';
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
      <ColumnChooser model={model} chosen={search.get('columns')} choose={(columns) => setSearch({ columns })} />
    </div>
  );
}
