import { Link } from 'wouter';
import type { AuditEvent } from '#lib/client/types.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useShownTime } from '../../texts/use-texts.tsx';
import { CardTable, Heads } from '../../ui/card-table.tsx';
import { Cell } from '../../ui/cell.tsx';
import { screenOf } from './event-query.ts';
import { activityTexts, kindTexts } from './texts.ts';

export const looks = {
  create: 'good',
  update: '',
  delete: 'bad',
  restore: 'good',
  rotate: 'warns',
  import: 'warns',
  invite: 'good',
  signIn: '',
} as const;

export function EventTable({ events }: { readonly events: readonly AuditEvent[] }) {
  const t = useCatalogue(activityTexts);
  const shownTime = useShownTime();
  return (
    <CardTable
      label={t.events}
      className="activity-table"
      heads={<Heads texts={[t.when, t.who, t.what, t.record, t.changed]} />}
    >
      {events.map((event) => (
        <tr key={event.id}>
          <Cell label={t.when}>
            <time dateTime={event.at}>{shownTime(event.at)}</time>
          </Cell>
          <Cell label={t.who}>
            <Actor actor={event.actor} />
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
    </CardTable>
  );
}

export function Actor({ actor: { type, name } }: { readonly actor: AuditEvent['actor'] }) {
  const t = useCatalogue(activityTexts);
  // They have no names of their own.
  if (type === 'operator' || type === 'schedule') return type === 'operator' ? t.byOperator : t.bySchedule;
  return (
    <>
      <span dir="auto">{name}</span>
      <small className="activity-by">{type === 'key' ? t.byKey : t.byMember}</small>
    </>
  );
}

function RecordName({ event }: { readonly event: AuditEvent }) {
  const kinds: Readonly<Record<string, string>> = useCatalogue(kindTexts);
  const { recordKind, recordId } = event;
  const kind = Object.hasOwn(kinds, recordKind) ? kinds[recordKind] : recordKind;
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
