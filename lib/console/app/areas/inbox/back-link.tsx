import { Link } from 'wouter';
import { useSearch } from '../../shell/location.ts';
import { useTexts } from '../../texts/use-texts.tsx';

/** Leads from a conversation to the list, where a narrow window shows one of the two. */
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
