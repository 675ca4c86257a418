import { useMutation } from '@tanstack/react-query';
import { useId } from 'react';
import { client } from '../data/client.ts';
import { useCatalogue } from '../texts/use-texts.tsx';
import type { Image } from '../ui/picture.tsx';
import { useFailureToast } from '../ui/toasts.tsx';
import { editingTexts } from './texts.ts';

const formats = 'image/png,image/jpeg,image/gif,image/webp,image/avif';

interface Props {
  readonly label: string;
  readonly onStored: (image: Image) => void;
}

/** A button that uploads an image file. */
export function ImageUpload({ label, onStored }: Props) {
  const t = useCatalogue(editingTexts);
  const id = useId();
  const upload = useMutation({
    mutationFn: (file: File) => client.media.upload({ name: file.name, type: file.type, data: file }),
    onSuccess: onStored,
    onError: useFailureToast(),
  });
  return (
    <>
      <label className="button" htmlFor={id}>
        {upload.isPending ? t.imageUploading : label}
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
    </>
  );
}
