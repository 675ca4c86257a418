import { ImageUpload } from '../../editing/image-upload.tsx';
import { LocalizedInput } from '../../editing/localized-input.tsx';
import { editingTexts } from '../../editing/texts.ts';
import { useListField } from '../../editing/use-list-field.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { OrderButtons } from '../../ui/order-buttons.tsx';
import { type Image, Picture } from '../../ui/picture.tsx';
import { contentTexts } from './texts.ts';

/** Several images in their order, each with its description. */
export function ImageList({ path, label }: { readonly path: string; readonly label: string }) {
  const t = useCatalogue(contentTexts);
  const shared = useCatalogue(editingTexts);
  const { items, keys, error, add, remove, move } = useListField<Image>(path);
  return (
    <fieldset className="image-field">
      <legend className="label">{label}</legend>
      <ol className="stack">
        {items.map((image, index) => {
          const name = fill(t.imageNumber, { number: index + 1 });
          return (
            <li key={keys[index]} className="content-image">
              <Picture image={image} />
              <LocalizedInput path={`${path}.${index}.alt`} label={`${shared.imageAlt}, ${name}`} empty={null} />
              <div className="row">
                <OrderButtons index={index} count={items.length} name={name} move={move} />
                <button
                  type="button"
                  className="button quiet warns"
                  aria-label={`${shared.imageRemove}: ${name}`}
                  onClick={() => remove(index)}
                >
                  {shared.remove}
                </button>
              </div>
            </li>
          );
        })}
      </ol>
      {error !== undefined && <p className="error">{error}</p>}
      <div className="row">
        <ImageUpload label={t.addImage} onStored={(image) => add(image)} />
        <span className="hint">{shared.imageFormats}</span>
      </div>
    </fieldset>
  );
}
