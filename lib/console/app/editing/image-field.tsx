import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { client } from '../data/client.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { type Image, Picture } from '../ui/picture.tsx';
import { useFailureToast } from '../ui/toasts.tsx';
import { useField } from './editor-context.tsx';
import { LocalizedInput } from './localized-input.tsx';

const formats = 'image/png,image/jpeg,image/gif,image/webp,image/avif';

interface Props {
  readonly path: string;
  readonly label: string;
}

/** One image: shown, uploaded, described in every language, taken away. */
export function ImageField({ path, label }: Props) {
  const t = useTexts();
  const id = useId();
  const { value, set, error } = useField(path);
  const image = value as Image | null | undefined;
  const upload = useMutation({
    mutationFn: (file: File) => client.media.upload({ name: file.name, type: file.type, data: file }),
    onSuccess: (stored) => set({ ...stored, alt: image?.alt ?? stored.alt }),
    onError: useFailureToast(),
  });
  return (
    <fieldset className="image-field">
      <legend className="label">{label}</legend>
      <div className="image-row">
        {image ? <Picture image={image} /> : <span className="picture placeholder" aria-hidden="true" />}
        <div className="image-actions">
          <label className="button" htmlFor={id}>
            {upload.isPending ? t.imageUploading : image ? t.imageReplace : t.imageUpload}
          </label>
          <input
            id={id}
            className="visually-hidden"
            type="file"
            accept={formats}
            disabled={upload.isPending}
            onChange={({ target }) => {
              const file = target.files?.[0];
              target.value = '';
              if (file) upload.mutate(file);
            }}
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
