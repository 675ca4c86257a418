import { useRef } from 'react';
import type { NutritionFacts } from '#lib/domain/menu/menu-records.ts';
import { useField } from '../../editing/editor-context.tsx';
import { NumberInput, TextInput } from '../../editing/fields.tsx';
import { ListField } from '../../editing/list-field.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { menuTexts } from './texts.ts';

const path = 'nutritionFacts';
const amounts = ['calories', 'protein', 'carbohydrates', 'fat', 'sugar', 'sodium'] as const;

const blank: NutritionFacts = {
  servingSize: null,
  calories: null,
  protein: null,
  carbohydrates: null,
  fat: null,
  sugar: null,
  sodium: null,
  allergens: [],
  dietary: [],
};

/** The nutrition facts of one serving, which may be absent. */
export function Nutrition() {
  const t = useCatalogue(menuTexts);
  const { value, set } = useField(path);
  const before = useRef<unknown>(blank);
  const hasFacts = value !== null && value !== undefined;
  // Ticking the box restores the typed values.
  const toggle = (isOn: boolean) => {
    if (!isOn) before.current = value;
    set(isOn ? before.current : null);
  };
  return (
    <>
      <label className="check">
        <input type="checkbox" checked={hasFacts} onChange={({ target }) => toggle(target.checked)} />
        <span>{t.nutrition}</span>
      </label>
      {hasFacts && (
        <>
          <div className="form-grid">
            <TextInput path={`${path}.servingSize`} label={t.servingSize} empty={null} />
            {amounts.map((name) => (
              <NumberInput key={name} path={`${path}.${name}`} label={t[name]} min={0} />
            ))}
          </div>
          <Words name="allergens" label={t.allergens} addLabel={t.addAllergen} />
          <Words name="dietary" label={t.dietary} addLabel={t.addDietary} hint={t.dietaryHint} />
        </>
      )}
    </>
  );
}

interface WordsProps {
  readonly name: 'allergens' | 'dietary';
  readonly label: string;
  readonly addLabel: string;
  readonly hint?: string;
}

function Words({ name, label, addLabel, hint }: WordsProps) {
  return (
    <ListField
      path={`${path}.${name}`}
      label={label}
      addLabel={addLabel}
      blank={() => ''}
      itemLabel={(item) => String(item)}
    >
      {(path) => <TextInput path={path} label={label} hint={hint} />}
    </ListField>
  );
}
