import { Link } from 'wouter';
import type { ManagedRecords } from '#lib/client/types.ts';
import { client } from '../../../data/client.ts';
import { useRecordList } from '../../../data/record-list.ts';
import { useMay } from '../../../data/session-context.tsx';
import { useSearch } from '../../../shell/location.ts';
import { fill } from '../../../texts/catalogue.ts';
import { useCatalogue, useTexts } from '../../../texts/use-texts.tsx';
import { CardTable, Heads } from '../../../ui/card-table.tsx';
import { Cell } from '../../../ui/cell.tsx';
import { ListScreen } from '../../../ui/list-screen.tsx';
import { SettingsTabs } from '../settings-tabs.tsx';
import { webhookTexts } from './texts.ts';

const typesShown = 3;

/** The webhooks of the workspace. */
export function WebhookList() {
  const t = useCatalogue(webhookTexts);
  const { settings } = useTexts();
  const [search] = useSearch();
  const mayManage = useMay('webhooks:webhook:manage');
  const query = { limit: 50, q: search.get('q') };
  const list = useRecordList<ManagedRecords['webhooks']['record']>('webhooks', client.manage.webhooks, query);
  return (
    <ListScreen
      title={settings}
      add={mayManage && { to: '/settings/webhooks/new', label: t.newWebhook }}
      tabs={<SettingsTabs />}
      searchLabel={t.searchWebhooks}
      list={list}
    >
      <CardTable label={t.webhooks} heads={<Heads texts={[t.url, t.status, t.types, t.description]} />}>
        {list.rows.map(({ id, url, enabled, disabledReason, types, description }) => (
          <tr key={id}>
            <th scope="row">
              <Link href={`/settings/webhooks/${encodeURIComponent(id)}`} dir="ltr">
                {url}
              </Link>
            </th>
            <Cell label={t.status}>
              <WebhookTag enabled={enabled} disabledReason={disabledReason} />
            </Cell>
            <Cell label={t.types}>
              <bdi dir="ltr">{types.slice(0, typesShown).join(', ')}</bdi>{' '}
              {types.length > typesShown && fill(t.more, { count: String(types.length - typesShown) })}
            </Cell>
            <Cell label={t.description} dir="auto">
              {description ?? '–'}
            </Cell>
          </tr>
        ))}
      </CardTable>
    </ListScreen>
  );
}

interface TagProps {
  readonly enabled: boolean;
  readonly disabledReason: unknown;
}

/** Whether a webhook is on, or why the service has switched it off. */
export function WebhookTag({ enabled, disabledReason }: TagProps) {
  const t = useCatalogue(webhookTexts);
  if (enabled) return <span className="tag good">{t.on}</span>;
  const isReason = disabledReason === 'gone' || disabledReason === 'failing';
  return <span className={`tag ${isReason ? 'bad' : ''}`}>{isReason ? t[disabledReason] : t.off}</span>;
}
