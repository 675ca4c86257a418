import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useSearch } from '../shell/location.ts';
import { PlusIcon } from './icons.tsx';
import { ListBody, type ShownList } from './list-body.tsx';
import { SearchBox } from './search-box.tsx';

interface Props {
  readonly title: ReactNode;
  /** The way to a new record; false for members who may make none. */
  readonly add: { readonly to: string; readonly label: string } | false;
  readonly tabs?: ReactNode;
  readonly searchLabel: string;
  /** A list with the search text `q` of the address. */
  readonly list: ShownList;
  /** The text in place of rows. @default that there is nothing */
  readonly empty?: ReactNode;
  /** The table of the rows. */
  readonly children: ReactNode;
}

/** A screen with one list of records that is searched. */
export function ListScreen({ title, add, tabs, searchLabel, list, empty, children }: Props) {
  const [search, setSearch] = useSearch();
  const q = search.get('q') ?? '';
  return (
    <>
      <header className="screen-head">
        <h1>{title}</h1>
        {add && (
          <Link href={add.to} className="button primary">
            <PlusIcon />
            {add.label}
          </Link>
        )}
      </header>
      {tabs}
      <div className="toolbar">
        <SearchBox value={q} onSearch={(text) => setSearch({ q: text })} label={searchLabel} />
      </div>
      <ListBody list={list} empty={empty} isFiltered={q !== ''}>
        {children}
      </ListBody>
    </>
  );
}
