import { Link } from 'wouter';
import type { ApiKey } from '#lib/client/types.ts';
import { keyCalls } from '../../data/access-calls.ts';
import { useRecordList } from '../../data/record-list.ts';
import { useMay } from '../../data/session-context.tsx';
import { useSearch } from '../../shell/location.ts';
import { useCatalogue, useFormatLocale, useShownTime, useTexts } from '../../texts/use-texts.tsx';
import { CardTable, Heads } from '../../ui/card-table.tsx';
import { Cell } from '../../ui/cell.tsx';
import { ListScreen } from '../../ui/list-screen.tsx';
import { AccessTabs } from './access-tabs.tsx';
import { isWithinHour } from './key-state.ts';
import { KeyTag } from './key-tag.tsx';
import { PermissionsSummary } from './permissions/permissions-summary.tsx';
import { keyPresets } from './permissions/presets.ts';
import { accessTexts } from './texts.ts';

/** The API keys, with their permissions and last uses. */
export function Keys() {
  const t = useCatalogue(accessTexts);
  const shared = useTexts();
  const mayManage = useMay('access:key:manage');
  const [search] = useSearch();
  const q = search.get('q') ?? undefined;
  const list = useRecordList<ApiKey>('api-keys', keyCalls, { limit: 50, q });
  return (
    <ListScreen
      title={shared.access}
      add={mayManage && { to: '/access/keys/new', label: t.newKey }}
      tabs={<AccessTabs />}
      searchLabel={t.searchKeys}
      list={list}
    >
      <KeyTable keys={list.rows} />
    </ListScreen>
  );
}

function KeyTable({ keys }: { readonly keys: readonly ApiKey[] }) {
  const t = useCatalogue(accessTexts);
  const locale = useFormatLocale();
  const shownTime = useShownTime();
  const now = Date.now();
  const day = (time: string) => new Date(time).toLocaleDateString(locale, { dateStyle: 'medium' });
  const used = (time: string | null) => {
    if (time === null) return t.never;
    if (isWithinHour(time, now)) return t.withinHour;
    return shownTime(time);
  };
  return (
    <CardTable label={t.keys} heads={<Heads texts={[t.name, t.status, t.permissions, t.lastUsed, t.expires]} />}>
      {keys.map((key) => (
        <tr key={key.id}>
          <th scope="row">
            <Link href={`/access/keys/${encodeURIComponent(key.id)}`} dir="auto">
              {key.name || key.id}
            </Link>
          </th>
          <Cell label={t.status}>
            <KeyTag ends={key} />
          </Cell>
          <Cell label={t.permissions}>
            <PermissionsSummary presets={keyPresets} permissions={key.permissions} />
          </Cell>
          <Cell label={t.lastUsed}>{used(key.lastUsedAt)}</Cell>
          <Cell label={t.expires}>{key.expiresAt === null ? t.expiresNever : day(key.expiresAt)}</Cell>
        </tr>
      ))}
    </CardTable>
  );
}
