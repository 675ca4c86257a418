import { Link } from 'wouter';
import type { StoredRecord } from '#lib/client/records.ts';
import { shownEmail } from '#lib/domain/text/shown-email.ts';
import { useRecordList } from '../../../data/record-list.ts';
import { useMay } from '../../../data/session-context.tsx';
import { DeletedLink } from '../../../history/deleted.tsx';
import { useSearch } from '../../../shell/location.ts';
import { useCatalogue, useTexts } from '../../../texts/use-texts.tsx';
import { CardTable, Heads } from '../../../ui/card-table.tsx';
import { Cell } from '../../../ui/cell.tsx';
import { ListScreen } from '../../../ui/list-screen.tsx';
import { SettingsTabs } from '../settings-tabs.tsx';
import { type MessagingKind, nameOfRecord } from './kinds.ts';
import { messagingTexts } from './texts.ts';

const columns = {
  agents: ['status', 'model'],
  channels: ['type', 'identifier'],
  customers: ['email', 'phone', 'externalId'],
} as const;

/** The agents, channels or customers of the workspace. */
export function MessagingList({ of }: { readonly of: MessagingKind }) {
  const t = useCatalogue(messagingTexts);
  const { settings } = useTexts();
  const [search] = useSearch();
  const mayManage = useMay(of.manage);
  const list = useRecordList<StoredRecord>(of.kind, of.calls, { limit: 50, q: search.get('q') });
  return (
    <ListScreen
      title={settings}
      add={mayManage && { to: `/settings/${of.kind}/new`, label: t[of.newText] }}
      tools={mayManage && of.kind !== 'customers' && <DeletedLink to={`/settings/deleted?kind=${of.kind}`} />}
      tabs={<SettingsTabs />}
      searchLabel={t[of.searchText]}
      list={list}
    >
      <CardTable label={t[of.kind]} heads={<Heads texts={[t.name, ...columns[of.kind].map((column) => t[column])]} />}>
        {list.rows.map((record) => (
          <tr key={record.id}>
            <th scope="row">
              <Link href={`/settings/${of.kind}/${encodeURIComponent(record.id)}`} dir="auto">
                {nameOfRecord(record)}
              </Link>
            </th>
            {columns[of.kind].map((column) => (
              <Cell key={column} label={t[column]}>
                {column === 'status' ? (
                  <Status isOn={record['enabled'] === true} />
                ) : (
                  <Text of={record[column]} isEmail={column === 'email'} />
                )}
              </Cell>
            ))}
          </tr>
        ))}
      </CardTable>
    </ListScreen>
  );
}

const Text = ({ of, isEmail }: { readonly of: unknown; readonly isEmail: boolean }) => (
  <bdi dir="ltr">{typeof of !== 'string' ? '–' : isEmail ? shownEmail(of) : of}</bdi>
);

function Status({ isOn }: { readonly isOn: boolean }) {
  const t = useCatalogue(messagingTexts);
  return <span className={`tag ${isOn ? 'good' : ''}`}>{isOn ? t.enabled : t.disabled}</span>;
}
