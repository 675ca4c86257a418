import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { directionOfSort, nextSort } from './entry-columns.ts';
import { contentTexts } from './texts.ts';

interface Props {
  readonly name: string;
  /** Absent for a column that cannot be sorted. */
  readonly sortKey: string | undefined;
  readonly sort: string | null;
  readonly sortBy: (sort: string | null) => void;
}

/** A column header. Each press changes the sort order: ascending, descending, none. */
export function SortHeader({ name, sortKey, sort, sortBy }: Props) {
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
