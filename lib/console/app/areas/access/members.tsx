import { Link } from 'wouter';
import type { Member } from '#lib/client/types.ts';
import { memberCalls } from '../../data/access-calls.ts';
import { useRecordList } from '../../data/records.ts';
import { useMay, useProfile } from '../../data/session-context.tsx';
import { useSearch } from '../../shell/location.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { PlusIcon } from '../../ui/icons.tsx';
import { MoreButton } from '../../ui/more-button.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Empty, Failure, Loading } from '../../ui/states.tsx';
import { TableRegion } from '../../ui/table-region.tsx';
import { AccessTabs } from './access-tabs.tsx';
import { PermissionsSummary } from './permissions/permissions-summary.tsx';
import { memberPresets } from './permissions/presets.ts';
import { accessTexts } from './texts.ts';

/** The members of the workspace. */
export function Members() {
  const t = useCatalogue(accessTexts);
  const shared = useTexts();
  const mayManage = useMay('access:member:manage');
  const [search, setSearch] = useSearch();
  const q = search.get('q') ?? undefined;
  const list = useRecordList<Member>('members', memberCalls, { limit: 50, q });
  return (
    <>
      <header className="screen-head">
        <h1>{shared.access}</h1>
        {mayManage && (
          <Link href="/access/members/new" className="button primary">
            <PlusIcon />
            {t.newMember}
          </Link>
        )}
      </header>
      <AccessTabs />
      <div className="toolbar">
        <SearchBox value={q ?? ''} onSearch={(text) => setSearch({ q: text })} label={t.searchMembers} />
      </div>
      {list.error ? (
        <Failure error={list.error} retry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Loading />
      ) : list.rows.length === 0 ? (
        <Empty>{q === undefined ? undefined : shared.noMatch}</Empty>
      ) : (
        <MemberTable members={list.rows} />
      )}
      <MoreButton list={list} />
    </>
  );
}

function MemberTable({ members }: { readonly members: readonly Member[] }) {
  const t = useCatalogue(accessTexts);
  const { id: own } = useProfile();
  return (
    <TableRegion label={t.members}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.name}</th>
            <th scope="col">{t.email}</th>
            <th scope="col">{t.status}</th>
            <th scope="col">{t.permissions}</th>
          </tr>
        </thead>
        <tbody>
          {members.map(({ id, name, email, active, permissions }) => (
            <tr key={id}>
              <th scope="row">
                <Link href={`/access/members/${encodeURIComponent(id)}`} dir="auto">
                  {name || id}
                </Link>{' '}
                {id === own && <span className="tag">{t.you}</span>}
              </th>
              <td>
                <span dir="ltr">{email ?? '–'}</span>
              </td>
              <td>
                <span className={`tag ${active ? 'good' : 'bad'}`}>{active ? t.active : t.inactive}</span>
              </td>
              <td>
                <PermissionsSummary presets={memberPresets} permissions={permissions} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableRegion>
  );
}
