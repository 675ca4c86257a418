import type { AuditEvent } from '#lib/client/types.ts';
import { eventCalls } from '../../data/access-calls.ts';
import { useRecordList } from '../../data/record-list.ts';
import { useSearch } from '../../shell/location.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { ListBody } from '../../ui/list-body.tsx';
import { EventFilters } from './event-filters.tsx';
import { eventQuery, filterNames } from './event-query.ts';
import { EventTable } from './event-table.tsx';
import { activityTexts } from './texts.ts';

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
