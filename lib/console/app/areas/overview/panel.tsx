import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { overviewTexts } from './texts.ts';

/** The first rows of a list, and whether more follow. */
export interface Rows {
  readonly rows: readonly {
    readonly key: string;
    readonly text: string;
    readonly note?: string;
    readonly to: string;
  }[];
  readonly hasMore: boolean;
}

interface Props {
  readonly title: string;
  readonly empty: string;
  readonly to: string;
  readonly linkText: string;
  readonly queryKey: readonly string[];
  readonly read: () => Promise<Rows>;
}

/** The records of one open task, polled every half minute while the page is visible. */
export function Panel({ title, empty, to, linkText, queryKey, read }: Props) {
  const found = useQuery({ queryKey, queryFn: read, refetchInterval: 30_000 });
  return (
    <section className="card overview-panel" aria-label={title}>
      <h2>{title}</h2>
      <Shown found={found} empty={empty} />
      <Link href={to}>{linkText}</Link>
    </section>
  );
}

function Shown({ found, empty }: { readonly found: UseQueryResult<Rows>; readonly empty: ReactNode }) {
  const t = useCatalogue(overviewTexts);
  if (found.data === undefined) {
    return found.error ? <Failure error={found.error} retry={() => void found.refetch()} /> : <Loading />;
  }
  const { rows, hasMore } = found.data;
  if (rows.length === 0) return <p className="hint">{empty}</p>;
  return (
    <ul className="overview-rows">
      {rows.map(({ key, text, note, to }) => (
        <li key={key}>
          <Link href={to} dir="auto">
            {text}
          </Link>
          {note !== undefined && <span className="hint">{note}</span>}
        </li>
      ))}
      {hasMore && <li className="hint">{t.more}</li>}
    </ul>
  );
}
