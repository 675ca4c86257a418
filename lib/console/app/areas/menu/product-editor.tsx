import { useMemo } from 'react';
import { client } from '../../data/client.ts';
import { useLocalized } from '../../data/session-context.tsx';
import { DeleteButton } from '../../editing/delete-button.tsx';
import { EditorForm } from '../../editing/editor-form.tsx';
import { CheckInput, NumberInput, SelectInput, TextInput } from '../../editing/fields.tsx';
import { ImageField } from '../../editing/image-field.tsx';
import { ListField } from '../../editing/list-field.tsx';
import { LocalizedInput } from '../../editing/localized-input.tsx';
import { useRecordEditor } from '../../editing/use-record-editor.ts';
import { ScheduleInputs } from '../../schedule/schedule.tsx';
import { navigate } from '../../shell/location.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { labelOf } from './labels.ts';
import { Nutrition } from './nutrition.tsx';
import { OptionSets } from './option-sets.tsx';
import { Prices } from './prices.tsx';
import { SoldOutUntil } from './sold-out-until.tsx';
import { Suggestions } from './suggestions.tsx';
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

function Images() {
  const t = useCatalogue(menuTexts);
  return (
    <ListField path="images" label={t.images} addLabel={t.addImage} blank={() => null} itemLabel={() => ''}>
      {(path) => <ImageField path={path} label={t.images} />}
    </ListField>
  );
}
