import type { ReactNode } from 'react';
import { errorText, isTransient } from '../data/error-text.ts';
import { editingTexts } from '../editing/texts.ts';
import { useCatalogue, useLanguage, useTexts } from '../texts/use-texts.tsx';
import { MoreButton } from './more-button.tsx';
import { Empty, Failure, Loading } from './states.tsx';

export interface ShownList {
  readonly rows: readonly unknown[];
  readonly error: unknown;
  readonly isPending: boolean;
  readonly refetch: () => unknown;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

interface Props {
  /** The result of `useRecordList`. */
  readonly list: ShownList;
  /** The text for an empty list, e.g. for a filter without matches. @default a general text */
  readonly empty?: ReactNode;
  readonly isFiltered: boolean;
  /** The table of the rows. */
  readonly children: ReactNode;
}

/** The rows of a list, or a text without rows, and a button for more. */
export function ListBody({ list, empty, isFiltered, children }: Props) {
  return (
    <>
      <Shown list={list} empty={empty} isFiltered={isFiltered}>
        {children}
      </Shown>
      <div className="row">
        <MoreButton list={list} />
      </div>
    </>
  );
}

function Shown({ list, empty, isFiltered, children }: Props) {
  const t = useCatalogue(editingTexts);
  if (list.error && !(list.rows.length > 0 && isTransient(list.error))) {
    return <Failure error={list.error} retry={() => void list.refetch()} />;
  }
  if (list.isPending) return <Loading />;
  if (list.rows.length > 0) {
    return (
      <>
        {list.error ? <RefreshFailed list={list} /> : null}
        {children}
      </>
    );
  }
  // A page of a filtered list may be empty although more pages follow.
  if (list.hasNextPage) return <Empty>{t.noneSoFar}</Empty>;
  return <Empty>{isFiltered ? t.noMatch : empty}</Empty>;
}

/** The rows of the last read are still useful, e.g. in a kitchen with a bad connection. */
function RefreshFailed({ list }: { readonly list: ShownList }) {
  const t = useTexts();
  const language = useLanguage();
  return (
    <p className="notice failed row" role="alert">
      <span>{errorText(list.error, language)}</span>
      <button type="button" className="button small" onClick={() => void list.refetch()}>
        {t.retry}
      </button>
    </p>
  );
}
