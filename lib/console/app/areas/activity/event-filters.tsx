import { useState } from 'react';
import { useSearch } from '../../shell/location.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { DayFilter } from '../../ui/day-filter.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { filterNames, recordKinds } from './event-query.ts';
import { activityTexts } from './texts.ts';
import { useActors } from './use-actors.ts';

/** The filters of the events. They are in the URL, so that a member can share it. */
export function EventFilters() {
  const t = useCatalogue(activityTexts);
  const [search, setSearch] = useSearch();
  const actors = useActors(search.get('actorId'));
  // The id input has its own state, so a new key resets it.
  const [cleared, setCleared] = useState(0);
  const clear = () => {
    setSearch(Object.fromEntries(filterNames.map((name) => [name, null])));
    setCleared((now) => now + 1);
  };
  return (
    <div className="toolbar">
      <label className="field">
        <span className="label">{t.kind}</span>
        <select
          value={search.get('recordKind') ?? ''}
          onChange={({ target }) => setSearch({ recordKind: target.value })}
        >
          <option value="">{t.anyKind}</option>
          {recordKinds.map((kind) => (
            <option key={kind} value={kind}>
              {t[kind]}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        <span className="label">{t.who}</span>
        <select value={search.get('actorId') ?? ''} onChange={({ target }) => setSearch({ actorId: target.value })}>
          <option value="">{t.anyone}</option>
          {actors.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <DayFilter name="since" label={t.since} />
      <DayFilter name="until" label={t.until} />
      <SearchBox
        key={cleared}
        value={search.get('recordId') ?? ''}
        onSearch={(recordId) => setSearch({ recordId })}
        label={t.recordId}
      />
      {filterNames.some((name) => search.has(name)) && (
        <button type="button" className="button quiet" onClick={clear}>
          {t.clearFilters}
        </button>
      )}
    </div>
  );
}
