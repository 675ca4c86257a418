import { useSearch } from '../shell/location.ts';
import { type Option, Options } from './options.tsx';

interface Props {
  /** The name of the parameter in the URL. */
  readonly name: string;
  readonly label: string;
}

/** A date field for a day in the URL. */
export function DayFilter({ name, label }: Props) {
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

interface ChoiceProps extends Props {
  /** The label of the choice that filters nothing. */
  readonly any: string;
  readonly options: readonly Option[];
}

/** A choice in the URL. */
export function ChoiceFilter({ name, label, any, options }: ChoiceProps) {
  const [search, setSearch] = useSearch();
  return (
    <label className="field">
      <span className="label">{label}</span>
      <select value={search.get(name) ?? ''} onChange={({ target }) => setSearch({ [name]: target.value })}>
        <option value="">{any}</option>
        <Options of={options} />
      </select>
    </label>
  );
}

/** A checkbox that sets a parameter of the URL to `true` or removes it. */
export function CheckFilter({ name, label }: Props) {
  const [search, setSearch] = useSearch();
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={search.get(name) === 'true'}
        onChange={({ target }) => setSearch({ [name]: target.checked ? 'true' : null })}
      />
      <span>{label}</span>
    </label>
  );
}
