import { Link } from 'wouter';
import type { AuditEvent } from '#lib/client/types.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale } from '../../texts/use-texts.tsx';
import { Cell } from '../../ui/cell.tsx';
import { TableRegion } from '../../ui/table-region.tsx';
import { screenOf } from './event-query.ts';
import { activityTexts } from './texts.ts';

const looks = { create: 'good', update: '', delete: 'bad', rotate: 'warns', import: 'warns', invite: 'good' } as const;

export function EventTable({ events }: { readonly events: readonly AuditEvent[] }) {
  const t = useCatalogue(activityTexts);
  const locale = useFormatLocale();
  const by = { key: t.byKey, member: t.byMember, operator: t.byOperator };
  return (
    <TableRegion label={t.events}>
      <table className="cards activity-table">
        <thead>
          <tr>
            <th scope="col">{t.when}</th>
            <th scope="col">{t.who}</th>
            <th scope="col">{t.what}</th>
            <th scope="col">{t.record}</th>
            <th scope="col">{t.changed}</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.id}>
              <Cell label={t.when}>
                <time dateTime={event.at}>
                  {new Date(event.at).toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })}
                </time>
              </Cell>
              <Cell label={t.who}>
                <span dir="auto">{event.actor.type === 'operator' ? t.byOperator : event.actor.name}</span>
                {event.actor.type !== 'operator' && <small className="activity-by">{by[event.actor.type]}</small>}
              </Cell>
              <Cell label={t.what}>
                <span className={`tag ${looks[event.action]}`}>{t[event.action]}</span>
              </Cell>
              <Cell label={t.record}>
                <RecordName event={event} />
              </Cell>
              <Cell label={event.changed.length > 0 ? t.changed : undefined}>
                <Changed paths={event.changed} />
              </Cell>
            </tr>
          ))}
        </tbody>
      </table>
    </TableRegion>
  );
}

function RecordName({ event }: { readonly event: AuditEvent }) {
  const t = useCatalogue(activityTexts);
  const { recordKind, recordId } = event;
  const kind = Object.hasOwn(t, recordKind) ? t[recordKind as keyof typeof t] : recordKind;
  const screen = screenOf(event);
  return (
    <>
      {kind}{' '}
      {screen === undefined ? (
        <code dir="ltr">{recordId}</code>
      ) : (
        <Link href={screen}>
          <code dir="ltr">{recordId}</code>
        </Link>
      )}
    </>
  );
}

const shownMax = 6;

/** The paths that an update has changed. */
function Changed({ paths }: { readonly paths: readonly string[] }) {
  const t = useCatalogue(activityTexts);
  return (
    <span className="activity-paths">
      {paths.slice(0, shownMax).map((path) => (
        <code key={path} className="tag" dir="ltr">
          {path}
        </code>
      ))}
      {paths.length > shownMax && (
        <span className="hint" title={paths.slice(shownMax).join(', ')}>
          {fill(t.moreChanged, { count: paths.length - shownMax })}
        </span>
      )}
    </span>
  );
}
