import { useState } from 'react';
import type { ApiKey, AuditEvent, Member } from '#lib/client/types.ts';
import { eventCalls, keyCalls, memberCalls } from '../../data/access-calls.ts';
import { useRecordList } from '../../data/record-list.ts';
import { useAllRecords } from '../../data/records.ts';
import { useMay } from '../../data/session-context.tsx';
import { useSearch } from '../../shell/location.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { ChoiceFilter, DayFilter } from '../../ui/filters.tsx';
import { ListBody } from '../../ui/list-body.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { actions, eventQuery, filterNames } from './event-query.ts';
import { EventTable } from './event-table.tsx';
import { activityTexts, kindTexts } from './texts.ts';

/** The changes of the workspace, newest first. */
export function Area() {
  const t = useCatalogue(activityTexts);
  const shared = useTexts();
  const [search] = useSearch();
  const list = useRecordList<AuditEvent>('audit-events', eventCalls, { limit: 50, ...eventQuery(search) });
  const isFiltered = filterNames.some((name) => search.has(name));
  return (
    <>
      <header className="screen-head">
        <h1>{shared.activity}</h1>
        <p className="hint">{t.intro}</p>
      </header>
      <EventFilters />
      <ListBody list={list} isFiltered={isFiltered}>
        <EventTable events={list.rows} />
      </ListBody>
    </>
  );
}

/** The filters of the events. They are in the URL, so that a member can share it. */
function EventFilters() {
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

/**
 * The possible actors of an event: members and keys that the signed-in member may see, and the operator.
 * @param chosen the actor of the list's filter, who may have been removed
 */
function useActors(chosen: string | null) {
  const t = useCatalogue(activityTexts);
  const members = useAllRecords<Member>('members', memberCalls, {}, useMay('access:member:read'));
  const keys = useAllRecords<ApiKey>('api-keys', keyCalls, {}, useMay('access:key:read'));
  const listed = [
    ...(members.data ?? []).map(({ id, name }) => ({ id, name: `${name || id} (${t.byMember})` })),
    ...(keys.data ?? []).map(({ id, name }) => ({ id, name: `${name || id} (${t.byKey})` })),
    { id: 'operator', name: t.byOperator },
  ];
  const isKnown = chosen === null || listed.some(({ id }) => id === chosen);
  return isKnown ? listed : [...listed, { id: chosen, name: chosen }];
}
