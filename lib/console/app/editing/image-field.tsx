import { useCatalogue } from '../texts/use-texts.tsx';
import { type Image, Picture } from '../ui/picture.tsx';
import { useField } from './editor-context.tsx';
import { ImageUpload } from './image-upload.tsx';
import { LocalizedInput } from './localized-input.tsx';
import { editingTexts } from './texts.ts';

interface Props {
  readonly path: string;
  readonly label: string;
}

/** One image, with an upload, a description in every language, and a button to remove it. */
export function ImageField({ path, label }: Props) {
  const t = useCatalogue(editingTexts);
  const { value, set, error } = useField(path);
  const image = value as Image | null | undefined;
  return (
    <fieldset className="image-field">
      <legend className="label">{label}</legend>
      <div className="image-row">
        {image ? <Picture image={image} /> : <span className="picture placeholder" aria-hidden="true" />}
        <div className="image-actions">
          <ImageUpload
            label={image ? t.imageReplace : t.imageUpload}
            onStored={(stored) => set({ ...stored, alt: image?.alt ?? stored.alt })}
          />
          {image && (
            <button type="button" className="button quiet" onClick={() => set(null)}>
              {t.imageRemove}
            </button>
          )}
          <p className="hint">{t.imageFormats}</p>
        </div>
      </div>
      {error !== undefined && <p className="error">{error}</p>}
      {image && <LocalizedInput path={`${path}.alt`} label={t.imageAlt} empty={null} />}
    </fieldset>
  );
}
