import { useSearch } from '../shell/location.ts';

/** A date field for a day in the address. */
export function DayFilter({ name, label }: { readonly name: string; readonly label: string }) {
  const [search, setSearch] = useSearch();
  return (
    <label className="field">
      <span className="label">{label}</span>
      <input
        type="date"
        dir="ltr"
        value={search.get(name) ?? ''}
        onChange={({ target }) => setSearch({ [name]: target.value })}
      />
    </label>
  );
}
