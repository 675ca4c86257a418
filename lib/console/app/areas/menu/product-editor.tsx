import { useMemo } from 'react';
import { client } from '../../data/client.ts';
import { useLocalized } from '../../data/session-context.tsx';
import { DeleteButton } from '../../editing/delete-button.tsx';
import { useField } from '../../editing/editor-context.tsx';
import { EditorForm } from '../../editing/editor-form.tsx';
import { CheckInput, NumberInput, SelectInput, TextInput } from '../../editing/fields.tsx';
import { ImageField } from '../../editing/image-field.tsx';
import { ListField } from '../../editing/list-field.tsx';
import { LocalizedInput } from '../../editing/localized-input.tsx';
import { MomentInput } from '../../editing/moment-input.tsx';
import { useRecordEditor } from '../../editing/use-record-editor.ts';
import { useProductSource } from '../../relations/products.ts';
import { TargetPicker } from '../../relations/target-picker.tsx';
import { TargetsInput } from '../../relations/targets-input.tsx';
import { ScheduleInputs } from '../../schedule/schedule.tsx';
import { navigate } from '../../shell/location.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { labelOf } from './labels.ts';
import { Nutrition } from './nutrition.tsx';
import { OptionSets } from './option-sets.tsx';
import { menuTexts } from './texts.ts';
import { useCategories } from './use-categories.ts';
import { useSlug } from './use-slug.ts';

const blank = {
  slug: '',
  name: {},
  priceOptions: [],
  images: [],
  optionSets: [],
  published: false,
  soldout: false,
};

/** One product, its texts side by side in every language. */
export function ProductEditor({ id }: { readonly id: string | undefined }) {
  const t = useCatalogue(menuTexts);
  const localized = useLocalized();
  const editor = useRecordEditor({ kind: 'menu-products', calls: client.manage.menuProducts, id, blank });
  useSlug(editor);
  const name = localized(editor.value['name'] as Readonly<Record<string, string>>);
  const label = useMemo(() => labelOf(t), [t]);
  const isStored = id !== undefined;
  return (
    <EditorForm
      editor={editor}
      title={isStored ? name || id : t.newProduct}
      back={{ to: '/menu', text: t.products }}
      labelOf={label}
      onSaved={(saved) =>
        isStored || navigate(`/menu/products/${encodeURIComponent(saved)}`, { replace: true, isDone: true })
      }
      actions={
        isStored && (
          <DeleteButton
            kind="menu-products"
            calls={client.manage.menuProducts}
            id={id}
            name={name}
            back="/menu"
            editor={editor}
          />
        )
      }
    >
      <section className="card stack" aria-label={t.texts}>
        <LocalizedInput path="name" label={t.name} />
        <LocalizedInput path="intro" label={t.intro} empty={null} />
        <LocalizedInput path="description" label={t.description} isLong empty={null} />
      </section>
      <Basics />
      <section className="card stack" aria-label={t.prices}>
        <Prices />
        <OptionSets />
      </section>
      <section className="card stack" aria-label={t.pictures}>
        <ImageField path="thumbnail" label={t.thumbnail} />
        <Images />
      </section>
      <section className="card stack" aria-label={t.nutrition}>
        <Nutrition />
      </section>
      <section className="card stack" aria-label={t.suggestions}>
        <Suggestions id={id} />
      </section>
    </EditorForm>
  );
}

function Basics() {
  const t = useCatalogue(menuTexts);
  const { options } = useCategories();
  return (
    <section className="card stack" aria-label={t.basics}>
      <div className="form-grid">
        <SelectInput path="categoryId" label={t.category} options={options} />
        <TextInput path="slug" label={t.slug} hint={t.slugHint} />
        <TextInput path="barcode" label={t.barcode} direction="ltr" empty={null} />
        <NumberInput path="preparationTime" label={t.preparationTime} min={0} />
        <NumberInput path="position" label={t.position} hint={t.positionHint} />
      </div>
      <div className="row">
        <CheckInput path="published" label={t.published} />
        <CheckInput path="soldout" label={t.soldout} />
      </div>
      <SoldOutUntil />
      <ScheduleInputs />
    </section>
  );
}

/** The time at which a sold-out product becomes available. */
function SoldOutUntil() {
  const t = useCatalogue(menuTexts);
  const { value: isOut } = useField('soldout');
  if (isOut !== true) return null;
  return <MomentInput path="soldoutUntil" label={t.soldoutUntil} hint={t.soldoutUntilHint} type="datetime-local" />;
}

/** The ways to buy a product, such as its sizes. */
function Prices() {
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

function Images() {
  const t = useCatalogue(menuTexts);
  return (
    <ListField path="images" label={t.images} addLabel={t.addImage} blank={() => null} itemLabel={() => ''}>
      {(path) => <ImageField path={path} label={t.images} />}
    </ListField>
  );
}

/** The suggestions of a product, in their order. @param id the product itself */
function Suggestions({ id }: { readonly id: string | undefined }) {
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
