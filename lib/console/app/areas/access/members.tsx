import { Link } from 'wouter';
import type { Member } from '#lib/client/types.ts';
import { shownEmail } from '#lib/domain/text/shown-email.ts';
import { memberCalls } from '../../data/access-calls.ts';
import { useRecordList } from '../../data/record-list.ts';
import { useMay, useProfile } from '../../data/session-context.tsx';
import { useSearch } from '../../shell/location.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { CardTable, Heads } from '../../ui/card-table.tsx';
import { Cell } from '../../ui/cell.tsx';
import { ListScreen } from '../../ui/list-screen.tsx';
import { AccessTabs } from './access-tabs.tsx';
import { PermissionsSummary } from './permissions/permissions-summary.tsx';
import { memberPresets } from './permissions/presets.ts';
import { accessTexts } from './texts.ts';

/** The members of the workspace. */
export function Members() {
  const t = useCatalogue(accessTexts);
  const shared = useTexts();
  const mayManage = useMay('access:member:manage');
  const [search] = useSearch();
  const q = search.get('q') ?? undefined;
  const list = useRecordList<Member>('members', memberCalls, { limit: 50, q });
  return (
    <ListScreen
      title={shared.access}
      add={mayManage && { to: '/access/members/new', label: t.newMember }}
      tabs={<AccessTabs />}
      searchLabel={t.searchMembers}
      list={list}
    >
      <MemberTable members={list.rows} />
    </ListScreen>
  );
}

function MemberTable({ members }: { readonly members: readonly Member[] }) {
  const t = useCatalogue(accessTexts);
  const { id: own } = useProfile();
  return (
    <CardTable label={t.members} heads={<Heads texts={[t.name, t.email, t.status, t.permissions]} />}>
      {members.map(({ id, name, email, active, acceptedAt, permissions }) => (
        <tr key={id}>
          <th scope="row">
            <Link href={`/access/members/${encodeURIComponent(id)}`} dir="auto">
              {name || id}
            </Link>{' '}
            {id === own && <span className="tag">{t.you}</span>}
          </th>
          <Cell label={t.email}>
            <span dir="ltr">{email === null ? '–' : shownEmail(email)}</span>
          </Cell>
          <Cell label={t.status}>
            <span className={`tag ${active ? 'good' : 'bad'}`}>{active ? t.active : t.inactive}</span>{' '}
            {acceptedAt === null && <span className="tag warns">{t.pending}</span>}
          </Cell>
          <Cell label={t.permissions}>
            <PermissionsSummary presets={memberPresets} permissions={permissions} />
          </Cell>
        </tr>
      ))}
    </CardTable>
  );
}
