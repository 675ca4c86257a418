import { Link } from 'wouter';
import { areaCode } from '../area-code.ts';
import { useCatalogue } from '../texts/use-texts.tsx';
import { historyTexts } from './texts.ts';

export interface DeletedProps {
  /** The kinds of the area that the member may bring back, by the names in addresses. */
  readonly kinds: readonly string[];
  /** The screen of the area. */
  readonly back: { readonly to: string; readonly text: string };
}

const screen = areaCode<DeletedProps>(() => import('./deleted-screen.tsx'));

/** The screen of an area's deleted records. Its address ends with `/deleted`. */
export function Deleted(props: DeletedProps) {
  const DeletedScreen = screen();
  return <DeletedScreen {...props} />;
}

export function DeletedLink({ to }: { readonly to: string }) {
  const t = useCatalogue(historyTexts);
  return (
    <Link href={to} className="button quiet">
      {t.deleted}
    </Link>
  );
}
