import type { Scheduled } from '#lib/domain/schedule.ts';
import { useTimeZone } from '../data/session-context.tsx';
import { useField } from '../editing/editor-context.tsx';
import { MomentInput } from '../editing/moment-input.tsx';
import { fill } from '../texts/catalogue.ts';
import { useCatalogue, useFormatLocale } from '../texts/use-texts.tsx';
import { scheduleTexts } from './texts.ts';

type Times = Partial<Omit<Scheduled, 'published'>>;

/** The times at which the service publishes the record of the form, and ends it. */
export function ScheduleInputs() {
  const t = useCatalogue(scheduleTexts);
  return (
    <div className="form-grid">
      <TimeInput path="publishAt" label={t.publishAt} />
      <TimeInput path="unpublishAt" label={t.unpublishAt} />
    </div>
  );
}

/** The hint has the whole time with its offset: on a day on which clocks change, an hour is missing or comes twice. */
function TimeInput({ path, label }: { readonly path: string; readonly label: string }) {
  const t = useCatalogue(scheduleTexts);
  const zone = useTimeZone();
  const locale = useFormatLocale();
  const { value } = useField(path);
  const time =
    typeof value === 'string' &&
    new Date(value).toLocaleString(locale, {
      timeZone: zone,
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'shortOffset',
    });
  const hint = time ? fill(t.inZone, { time, zone }) : fill(t.noTime, { zone });
  return <MomentInput path={path} label={label} hint={hint} type="datetime-local" zone={zone} />;
}

/** Shows times (RFC 3339) in the time zone of the workspace. */
export function useZonedTime(): (time: string) => string {
  const timeZone = useTimeZone();
  const locale = useFormatLocale();
  return (time) => new Date(time).toLocaleString(locale, { timeZone, dateStyle: 'medium', timeStyle: 'short' });
}

/** A tag for a record that goes live or ends by itself. Its times are read out, and shown under the pointer. */
export function ScheduledTag({ of: { publishAt, unpublishAt } }: { readonly of: Times }) {
  const t = useCatalogue(scheduleTexts);
  const shownTime = useZonedTime();
  const times = [
    publishAt && fill(t.goesLive, { time: shownTime(publishAt) }),
    unpublishAt && fill(t.ends, { time: shownTime(unpublishAt) }),
  ].filter(Boolean);
  if (times.length === 0) return null;
  return (
    <span className="tag" title={times.join(' · ')}>
      {t.scheduled}
      <span className="visually-hidden">: {times.join(', ')}</span>
    </span>
  );
}
