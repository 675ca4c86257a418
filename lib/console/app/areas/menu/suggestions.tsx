import { useProductSource } from '../../relations/products.ts';
import { TargetPicker } from '../../relations/target-picker.tsx';
import { TargetsInput } from '../../relations/targets-input.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { menuTexts } from './texts.ts';

/** The suggestions of a product, in their order. @param id the product itself */
export function Suggestions({ id }: { readonly id: string | undefined }) {
  const t = useCatalogue(menuTexts);
  const source = useProductSource();
  const shared = { label: t.suggestions, source, many: true };
  return (
    <TargetsInput
      path="suggestions"
      {...shared}
      hrefOf={(id) => `/menu/products/${encodeURIComponent(id)}`}
      picker={(props) => <TargetPicker {...props} {...shared} except={id} />}
    />
  );
}
