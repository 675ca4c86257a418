import { useMemo } from 'react';
import { client } from '../../data/client.ts';
import { useLocalized } from '../../data/session-context.tsx';
import { DeleteButton } from '../../editing/delete-button.tsx';
import { EditorForm } from '../../editing/editor-form.tsx';
import { NumberInput, TextInput } from '../../editing/fields.tsx';
import { ImageField } from '../../editing/image-field.tsx';
import { LocalizedInput } from '../../editing/localized-input.tsx';
import { useRecordEditor } from '../../editing/use-record-editor.ts';
import { navigate } from '../../shell/location.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { labelOf } from './labels.ts';
import { menuTexts } from './texts.ts';
import { useSlug } from './use-slug.ts';

const blank = { slug: '', name: {} };

export function CategoryEditor({ id }: { readonly id: string | undefined }) {
  const t = useCatalogue(menuTexts);
  const localized = useLocalized();
  const editor = useRecordEditor({ kind: 'menu-categories', calls: client.manage.menuCategories, id, blank });
  useSlug(editor);
  const name = localized(editor.value['name'] as Readonly<Record<string, string>>);
  const label = useMemo(() => labelOf(t), [t]);
  const isStored = id !== undefined;
  const back = '/menu/categories';
  return (
    <EditorForm
      editor={editor}
      title={isStored ? name || id : t.newCategory}
      back={{ to: back, text: t.categories }}
      labelOf={label}
      onSaved={(saved) => isStored || navigate(`${back}/${encodeURIComponent(saved)}`, { replace: true, isDone: true })}
      actions={
        isStored && (
          <DeleteButton
            kind="menu-categories"
            calls={client.manage.menuCategories}
            id={id}
            name={name}
            back={back}
            editor={editor}
          />
        )
      }
    >
      <section className="card stack" aria-label={t.texts}>
        <LocalizedInput path="name" label={t.name} />
        <LocalizedInput path="description" label={t.description} isLong empty={null} />
      </section>
      <section className="card form-grid" aria-label={t.basics}>
        <TextInput path="slug" label={t.slug} hint={t.slugHint} />
        <NumberInput path="position" label={t.position} hint={t.positionHint} />
      </section>
      <section className="card stack" aria-label={t.images}>
        <ImageField path="thumbnail" label={t.thumbnail} />
        <ImageField path="smallThumbnail" label={t.smallThumbnail} />
        <ImageField path="showcase" label={t.showcase} />
      </section>
    </EditorForm>
  );
}
