import { useField } from '../../editing/editor-context.tsx';
import { MomentInput } from '../../editing/moment-input.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { menuTexts } from './texts.ts';

/** The time at which a sold-out product becomes available. */
export function SoldOutUntil() {
  const t = useCatalogue(menuTexts);
  const { value: isOut } = useField('soldout');
  if (isOut !== true) return null;
  return <MomentInput path="soldoutUntil" label={t.soldoutUntil} hint={t.soldoutUntilHint} type="datetime-local" />;
}
