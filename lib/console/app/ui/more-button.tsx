import { useTexts } from '../texts/use-texts.tsx';

interface Props {
  /** The result of `useRecordList`. */
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** Reads the next page of a list. */
export function MoreButton({ list }: Props) {
  const t = useTexts();
  if (!list.hasNextPage) return null;
  return (
    <button type="button" className="button" disabled={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
      {list.isFetchingNextPage ? t.loading : t.more}
    </button>
  );
}
