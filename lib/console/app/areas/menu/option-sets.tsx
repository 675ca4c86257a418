import { useLocalized } from '../../data/session-context.tsx';
import { CheckInput, NumberInput } from '../../editing/fields.tsx';
import { ListField } from '../../editing/list-field.tsx';
import { LocalizedInput } from '../../editing/localized-input.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { menuTexts } from './texts.ts';

interface Named {
  readonly name?: Readonly<Record<string, string>>;
}

/** Groups of options of a product. */
export function OptionSets() {
  const t = useCatalogue(menuTexts);
  const localized = useLocalized();
  return (
    <ListField
      path="optionSets"
      label={t.optionSets}
      addLabel={t.addOptionSet}
      blank={() => ({
        id: `set_${crypto.randomUUID()}`,
        name: {},
        required: false,
        min: 0,
        max: null,
        allowDuplicates: false,
        order: 0,
        options: [],
      })}
      itemLabel={(item) => localized((item as Named).name)}
    >
      {(path) => (
        <>
          <LocalizedInput path={`${path}.name`} label={t.name} />
          <div className="form-grid">
            <NumberInput path={`${path}.min`} label={t.min} min={0} step={1} />
            <NumberInput path={`${path}.max`} label={t.max} min={0} step={1} />
            <NumberInput path={`${path}.order`} label={t.position} />
          </div>
          <div className="row">
            <CheckInput path={`${path}.required`} label={t.required} />
            <CheckInput path={`${path}.allowDuplicates`} label={t.allowDuplicates} />
          </div>
          <Options path={`${path}.options`} />
        </>
      )}
    </ListField>
  );
}

function Options({ path }: { readonly path: string }) {
  const t = useCatalogue(menuTexts);
  const localized = useLocalized();
  return (
    <ListField
      path={path}
      label={t.options}
      addLabel={t.addOption}
      blank={() => ({
        id: `option_${crypto.randomUUID()}`,
        name: {},
        price: 0,
        default: false,
        soldout: false,
        maxQuantity: null,
        order: 0,
      })}
      itemLabel={(item) => localized((item as Named).name)}
    >
      {(path) => (
        <>
          <LocalizedInput path={`${path}.name`} label={t.name} />
          <div className="form-grid">
            <NumberInput path={`${path}.price`} label={t.optionPrice} min={0} />
            <NumberInput path={`${path}.maxQuantity`} label={t.maxQuantity} min={0} step={1} />
            <NumberInput path={`${path}.order`} label={t.position} />
          </div>
          <div className="row">
            <CheckInput path={`${path}.default`} label={t.optionDefault} />
            <CheckInput path={`${path}.soldout`} label={t.soldout} />
          </div>
        </>
      )}
    </ListField>
  );
}
