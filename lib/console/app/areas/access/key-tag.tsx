import { useCatalogue } from '../../texts/use-texts.tsx';
import { type Ends, keyState } from './key-state.ts';
import { accessTexts } from './texts.ts';

const looks = { active: 'good', ending: 'warns', expired: 'bad', revoked: 'bad' } as const;

/** A tag with the state of a key. */
export function KeyTag({ ends }: { readonly ends: Ends }) {
  const t = useCatalogue(accessTexts);
  const state = keyState(ends, Date.now());
  return <span className={`tag ${looks[state]}`}>{t[state]}</span>;
}
