import { useLocalized } from '../../data/session-context.tsx';
import { CheckInput, NumberInput, TextInput } from '../../editing/fields.tsx';
import { ListField } from '../../editing/list-field.tsx';
import { LocalizedInput } from '../../editing/localized-input.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { menuTexts } from './texts.ts';

/** The ways to buy a product, such as its sizes. */
export function Prices() {
  const t = useCatalogue(menuTexts);
  const localized = useLocalized();
  return (
    <ListField
      path="priceOptions"
      label={t.prices}
      addLabel={t.addPrice}
      blank={() => ({ id: `price_${crypto.randomUUID()}`, price: 0 })}
      itemLabel={(item) => localized((item as { name?: Readonly<Record<string, string>> }).name)}
    >
      {(path) => (
        <>
          <LocalizedInput path={`${path}.name`} label={t.priceName} isOptional />
          <div className="form-grid">
            <NumberInput path={`${path}.price`} label={t.price} min={0} />
            <TextInput path={`${path}.barcode`} label={t.barcode} direction="ltr" empty={null} />
          </div>
          <CheckInput path={`${path}.default`} label={t.optionDefault} />
        </>
      )}
    </ListField>
  );
}
