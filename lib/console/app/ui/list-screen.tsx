import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useSearch } from '../shell/location.ts';
import { PlusIcon } from './icons.tsx';
import { ListBody, type ShownList } from './list-body.tsx';
import { SearchBox } from './search-box.tsx';

interface Props {
  readonly title: ReactNode;
  /** The link to a new record; false for members who may not create one. */
  readonly add: { readonly to: string; readonly label: string } | false;
  /** Links beside that. */
  readonly tools?: ReactNode;
  readonly tabs?: ReactNode;
  readonly searchLabel: string;
  /** A list with the search text `q` of the URL. */
  readonly list: ShownList;
  /** The text for an empty list. @default a general text */
  readonly empty?: ReactNode;
  /** The table of the rows. */
  readonly children: ReactNode;
}

/** A screen with a searchable list of records. */
export function ListScreen({ title, add, tools, tabs, searchLabel, list, empty, children }: Props) {
  const [search, setSearch] = useSearch();
  const q = search.get('q') ?? '';
  return (
    <>
      <header className="screen-head">
        <h1>{title}</h1>
        <div className="actions">
          {tools}
          {add && (
            <Link href={add.to} className="button primary">
              <PlusIcon />
              {add.label}
            </Link>
          )}
        </div>
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
