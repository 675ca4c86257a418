import { useState } from 'react';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { useLocalized } from '../../data/session-context.tsx';
import { useSearch } from '../../shell/location.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { CloseIcon, PlusIcon } from '../../ui/icons.tsx';
import {
  conditionsOf,
  type EntryFilter,
  filterFields,
  filtersMax,
  needsValue,
  readFilters,
  withFilter,
  withoutFilters,
} from './entry-filters.ts';
import { FilterDialog } from './filter-dialog.tsx';
import { useFilterText } from './filter-text.ts';
import { contentTexts } from './texts.ts';

/** The field filters of a list. Each can be removed, and another can be added. */
export function FilterBar({ model }: { readonly model: Model }) {
  const t = useCatalogue(contentTexts);
  const [search, setSearch] = useSearch();
  const [isAdding, setAdding] = useState(false);
  const filters = readFilters(search, model);
  const fields = filterFields(model).filter(({ type }) => conditionsOf(type).length > 0);
  if (fields.length === 0) return null;
  return (
    <div className="row">
      {filters.map((filter) => (
        <FilterChip
          key={`${filter.key} ${filter.condition}`}
          model={model}
          filter={filter}
          remove={() => setSearch(withoutFilters([filter]))}
        />
      ))}
      {filters.length < filtersMax && (
        <button type="button" className="button small" aria-haspopup="dialog" onClick={() => setAdding(true)}>
          <PlusIcon />
          {t.addFilter}
        </button>
      )}
      {filters.length > 1 && (
        <button type="button" className="button small quiet" onClick={() => setSearch(withoutFilters(filters))}>
          {t.clearFilters}
        </button>
      )}
      {isAdding && (
        <FilterDialog
          fields={fields}
          close={() => setAdding(false)}
          add={(filter) => {
            setSearch(withFilter(filter));
            setAdding(false);
          }}
        />
      )}
    </div>
  );
}

interface ChipProps {
  readonly model: Model;
  readonly filter: EntryFilter;
  readonly remove: () => void;
}

function FilterChip({ model, filter, remove }: ChipProps) {
  const t = useCatalogue(contentTexts);
  const localized = useLocalized();
  const field = model.fields.find(({ key }) => key === filter.key);
  const value = useFilterText(field, filter.value);
  if (!field) return null;
  const name = localized(field.name) || field.key;
  const text = [name, t[filter.condition], ...(needsValue(filter.condition) ? [value] : [])].join(' ');
  return (
    <span className="tag good content-filter">
      <span dir="auto">{text}</span>
      <button
        type="button"
        className="button icon"
        aria-label={fill(t.removeFilter, { filter: text })}
        onClick={remove}
      >
        <CloseIcon />
      </button>
    </span>
  );
}
