import { Link } from 'wouter';
import { useSearch } from '../../shell/location.ts';
import { useTexts } from '../../texts/use-texts.tsx';

/** A link from a conversation to the list, because a narrow window shows only one of them. */
export function BackLink() {
  const { back } = useTexts();
  const [search] = useSearch();
  const query = search.toString();
  return (
    <Link href={`/inbox${query === '' ? '' : `?${query}`}`} className="button small inbox-back">
      {back}
    </Link>
  );
}
