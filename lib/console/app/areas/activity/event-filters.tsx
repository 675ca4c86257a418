import { useState } from 'react';
import { useSearch } from '../../shell/location.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { ChoiceFilter, DayFilter } from '../../ui/filters.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { actions, filterNames } from './event-query.ts';
import { activityTexts, kindTexts } from './texts.ts';
import { useActors } from './use-actors.ts';

/** The filters of the events. They are in the URL, so that a member can share it. */
export function EventFilters() {
  const t = useCatalogue(activityTexts);
  const kinds = useCatalogue(kindTexts);
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
      <ChoiceFilter
        name="recordKind"
        label={t.kind}
        any={t.anyKind}
        options={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
      />
      <ChoiceFilter
        name="actorId"
        label={t.who}
        any={t.anyone}
        options={actors.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <ChoiceFilter
        name="action"
        label={t.what}
        any={t.anyAction}
        options={actions.map((action) => ({ value: action, label: t[action] }))}
      />
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
