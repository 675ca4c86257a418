import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { StoredRecord } from '#lib/client/records.ts';
import type { Model } from '#lib/domain/cms/cms-model.ts';
import { client } from '../../../data/client.ts';
import { useAllRecords } from '../../../data/records.ts';
import { useLocalized, useMay, useProfile, useTimeZone } from '../../../data/session-context.tsx';
import { fill } from '../../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale, useLanguage, useTexts } from '../../../texts/use-texts.tsx';
import { Empty, Failure, Loading } from '../../../ui/states.tsx';
import { titleOf } from '../../content/database-model.ts';
import { contentPaths } from '../../content/paths.ts';
import type { Entry } from '../../content/types.ts';
import { byDay, lookedThroughMax, type Planned, plannedOf, scheduledIn } from './planned.ts';
import { calendarTexts } from './texts.ts';

/** A record that has a time; of a product, without a database. */
interface Found {
  readonly record: StoredRecord;
  readonly model?: Model;
}

/** What goes live and what ends, day by day. */
export function Area() {
  const t = useCatalogue(calendarTexts);
  const { overview, calendar } = useTexts();
  const zone = useTimeZone();
  const { found, isAll, error, retry } = usePlanned();
  return (
    <>
      <header className="screen-head">
        <div>
          <Link href="/overview" className="back-link">
            {overview}
          </Link>
          <h1>{calendar}</h1>
        </div>
      </header>
      <p className="hint">{fill(t.intro, { zone })}</p>
      {isAll || <p className="notice">{fill(t.notAll, { count: lookedThroughMax })}</p>}
      {error ? <Failure error={error} retry={retry} /> : found ? <Days planned={plannedOf(found)} /> : <Loading />}
    </>
  );
}

function Days({ planned }: { readonly planned: readonly Planned<Found>[] }) {
  const t = useCatalogue(calendarTexts);
  const locale = useFormatLocale();
  const days = [...byDay(planned, useTimeZone())];
  if (days.length === 0) return <Empty>{t.nothing}</Empty>;
  return days.map(([day, rows]) => {
    const name = new Date(day).toLocaleDateString(locale, { timeZone: 'UTC', dateStyle: 'full' });
    return (
      <section key={day} className="card stack" aria-label={name}>
        <h2>{name}</h2>
        <ul className="overview-rows">
          {rows.map((row) => (
            <Row key={`${row.member} ${row.of.model?.id} ${row.of.record.id}`} {...row} />
          ))}
        </ul>
      </section>
    );
  });
}

function Row({ at, member, of: { record, model } }: Planned<Found>) {
  const t = useCatalogue(calendarTexts);
  const locale = useFormatLocale();
  const timeZone = useTimeZone();
  const localized = useLocalized();
  const language = useLanguage();
  const { defaultLanguage } = useProfile().workspace;
  const { menu } = useTexts();
  const isLive = member === 'publishAt';
  const name = model
    ? titleOf(model.fields, record as unknown as Entry, [language, defaultLanguage])
    : localized(record['name'] as Readonly<Record<string, string>>) || record.id;
  return (
    <li>
      <span className="row">
        <time dateTime={at}>{new Date(at).toLocaleTimeString(locale, { timeZone, timeStyle: 'short' })}</time>
        <span className={`tag ${isLive ? 'good' : 'warns'}`}>{isLive ? t.live : t.end}</span>
        <Link
          href={model ? contentPaths.entry(model.id, record.id) : `/menu/products/${encodeURIComponent(record.id)}`}
          dir="auto"
        >
          {name}
        </Link>
      </span>
      <span className="hint" dir="auto">
        {model ? localized(model.name) || model.id : menu}
      </span>
    </li>
  );
}

/** Lists cannot be filtered by these times, so the newest records of each are looked through. */
function usePlanned() {
  const mayProducts = useMay('menu:product:manage');
  const mayEntries = useMay('cms:entry:read');
  const mayModels = useMay('cms:model:read') && mayEntries;
  const databases = useAllRecords<Model>('cms-models', client.manage.cmsModels, {}, mayModels);
  const models = mayModels ? databases.data : [];
  const { data, error, refetch } = useQuery({
    enabled: models !== undefined,
    queryKey: ['calendar', models?.map(({ id }) => id)],
    queryFn: async () => {
      const products = mayProducts ? [{ list: client.manage.menuProducts.list.bind(client.manage.menuProducts) }] : [];
      const entries = (models ?? []).map((model) => ({
        model,
        list: (query: object) => client.manage.cmsEntries.list({ ...query, modelId: model.id }),
      }));
      const lists = [...products, ...entries] as readonly { model?: Model; list: Parameters<typeof scheduledIn>[0] }[];
      const read = await Promise.all(lists.map(async ({ list, ...of }) => ({ of, ...(await scheduledIn(list)) })));
      return {
        found: read.flatMap(({ of, records }): Found[] => records.map((record) => ({ ...of, record }))),
        isAll: read.every(({ isAll }) => isAll),
      };
    },
  });
  const failed = error ?? databases.error;
  const retry = () => void (databases.error ? databases.refetch() : refetch());
  return { found: data?.found, isAll: data?.isAll ?? true, error: failed, retry };
}
