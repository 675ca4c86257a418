import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { polled } from '../../data/polling.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { overviewTexts } from './texts.ts';

/** The maximum number of rows. */
export const rowsMax = 8;

interface Row {
  readonly text: string;
  readonly note?: string;
  readonly to: string;
}

interface Props<Record> {
  readonly title: string;
  readonly empty: string;
  readonly to: string;
  readonly linkText: string;
  /** The kind of the records, for the query key. */
  readonly kind: string;
  /** Reads the first page of a list. */
  readonly read: () => Promise<{ readonly data: readonly { readonly id: string }[]; readonly next: string | null }>;
  readonly rowOf: (record: Record) => Row;
}

/** The records of one open task, polled every half minute while the page is visible. */
export function Panel<Record>(props: Props<Record>) {
  const { title, to, linkText } = props;
  return (
    <section className="card overview-panel" aria-label={title}>
      <h2>{title}</h2>
      <Rows {...props} />
      <Link href={to}>{linkText}</Link>
    </section>
  );
}

function Rows<Record>({ kind, read, rowOf, empty }: Props<Record>) {
  const t = useCatalogue(overviewTexts);
  const found = useQuery({ queryKey: [kind, 'overview'], queryFn: read, refetchInterval: polled(30_000) });
  if (found.data === undefined) {
    return found.error ? <Failure error={found.error} retry={() => void found.refetch()} /> : <Loading />;
  }
  const { data, next } = found.data;
  if (data.length === 0) return <p className="hint">{empty}</p>;
  return (
    <ul className="overview-rows">
      {data.map((record) => {
        const { text, note, to } = rowOf(record as Record);
        return (
          <li key={record.id}>
            <Link href={to} dir="auto">
              {text}
            </Link>
            {note !== undefined && <span className="hint">{note}</span>}
          </li>
        );
      })}
      {next !== null && <li className="hint">{t.more}</li>}
    </ul>
  );
}
