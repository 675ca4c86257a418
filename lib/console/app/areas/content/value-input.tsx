import type { Field } from '#lib/domain/cms/cms-model.ts';
import { useLocalized } from '../../data/session-context.tsx';
import { CheckInput, NumberInput, SelectInput, TextInput } from '../../editing/fields.tsx';
import { ImageField } from '../../editing/image-field.tsx';
import { LocalizedInput } from '../../editing/localized-input.tsx';
import { MomentInput } from '../../editing/moment-input.tsx';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { ChoicesInput } from './choices-input.tsx';
import { ImageList } from './image-list.tsx';
import { JsonInput } from './json-input.tsx';
import { RelationInput } from './relation-input.tsx';
import { LocalizedRichTextInput, RichTextInput } from './rich-text/rich-text-input.tsx';
import { contentTexts } from './texts.ts';

const inputTypes = { email: 'email', url: 'url', phone: 'tel' } as const;

/** The input for the value of a field of any type. */
export function ValueInput({ field }: { readonly field: Field }) {
  const t = useCatalogue(contentTexts);
  const localized = useLocalized();
  const name = localized(field.name) || field.key;
  const marks = [field.required ? ' *' : '', field.hidden ? ` (${t.hiddenField})` : ''].join('');
  const shared = { path: `values.${field.key}`, label: `${name}${marks}` };
  if (field.localized) {
    if (field.type === 'richText') return <LocalizedRichTextInput {...shared} />;
    return <LocalizedInput {...shared} isLong={field.type === 'longText'} empty={null} />;
  }
  switch (field.type) {
    case 'text':
      return <TextInput {...shared} empty={null} />;
    case 'longText':
      return <TextInput {...shared} isLong empty={null} />;
    case 'richText':
      return <RichTextInput {...shared} />;
    case 'email':
    case 'url':
    case 'phone':
      return <TextInput {...shared} type={inputTypes[field.type]} direction="ltr" empty={null} />;
    case 'number':
      return <NumberInput {...shared} />;
    case 'boolean':
      return <CheckInput {...shared} />;
    case 'date':
      return <MomentInput {...shared} type="date" />;
    case 'datetime':
      return <MomentInput {...shared} type="datetime-local" />;
    case 'select':
      return (
        <SelectInput
          {...shared}
          none={t.unset}
          options={(field.options ?? []).map(({ value, label }) => ({ value, label: localized(label) || value }))}
        />
      );
    case 'multiSelect':
      return <ChoicesInput {...shared} options={field.options ?? []} />;
    case 'json':
      return <JsonInput {...shared} />;
    case 'media':
      return field.many ? <ImageList {...shared} /> : <ImageField {...shared} />;
    case 'relation':
      return <RelationInput {...shared} relation={field.relation ?? { to: 'menu:product', many: false }} />;
  }
}
