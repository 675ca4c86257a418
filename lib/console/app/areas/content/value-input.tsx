import { useState } from 'react';
import type { Field as ModelField } from '#lib/domain/cms/cms-model.ts';
import type { SelectOption } from '#lib/domain/forms/select-option.ts';
import { useLocalized } from '../../data/session-context.tsx';
import { useField } from '../../editing/editor-context.tsx';
import { CheckInput, NumberInput, SelectInput, TextInput } from '../../editing/fields.tsx';
import { ImageField } from '../../editing/image-field.tsx';
import { ImageUpload } from '../../editing/image-upload.tsx';
import { LocalizedInput } from '../../editing/localized-input.tsx';
import { MomentInput } from '../../editing/moment-input.tsx';
import { isEqual } from '../../editing/paths.ts';
import { editingTexts } from '../../editing/texts.ts';
import { useListField } from '../../editing/use-list-field.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { CheckOptions, withChosen } from '../../ui/check-options.tsx';
import { Field } from '../../ui/field.tsx';
import { OrderButtons } from '../../ui/order-buttons.tsx';
import { type Image, Picture } from '../../ui/picture.tsx';
import { isUnparsed, jsonOf, textOfJson } from './json-text.ts';
import { RelationInput } from './relation-input.tsx';
import { LocalizedRichTextInput, RichTextInput } from './rich-text/rich-text-input.tsx';
import { contentTexts } from './texts.ts';

const inputTypes = { email: 'email', url: 'url', phone: 'tel' } as const;

/** The input for the value of a field of any type. */
export function ValueInput({ field }: { readonly field: ModelField }) {
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

interface ChoicesProps {
  readonly path: string;
  readonly label: string;
  readonly options: readonly SelectOption[];
}

/** Several choices of a field. Stored values that are no longer offered can be removed. */
function ChoicesInput({ path, label, options }: ChoicesProps) {
  const localized = useLocalized();
  const { value, set, error } = useField(path);
  const chosen = (Array.isArray(value) ? value : []) as readonly string[];
  const offered = options.map((option) => ({ value: option.value, label: localized(option.label) || option.value }));
  const all = withChosen(offered, chosen);
  const toggle = (choice: string) => {
    const next = chosen.includes(choice) ? chosen.filter((other) => other !== choice) : [...chosen, choice];
    // In the order in which they are offered.
    set(all.map((option) => option.value).filter((option) => next.includes(option)));
  };
  return (
    <fieldset className="field">
      <legend className="label">{label}</legend>
      <CheckOptions className="row" options={all} chosen={chosen} hasError={error !== undefined} toggle={toggle} />
      {error !== undefined && <p className="error">{error}</p>}
    </fieldset>
  );
}

/** A JSON value as text. Text that is not JSON yet is kept and cannot be saved. */
function JsonInput({ path, label }: { readonly path: string; readonly label: string }) {
  const t = useCatalogue(contentTexts);
  const { value, set, error } = useField(path);
  // The typed text stays unchanged until other code changes the value.
  const [typed, setTyped] = useState('');
  const text = isEqual(jsonOf(typed), value ?? null) ? typed : textOfJson(value);
  return (
    <Field label={label} hint={t.jsonHint} error={isUnparsed(value) ? t.notJson : error}>
      {(attributes) => (
        <textarea
          rows={6}
          dir="ltr"
          className="code"
          spellCheck={false}
          {...attributes}
          value={text}
          onChange={({ target }) => {
            setTyped(target.value);
            set(jsonOf(target.value));
          }}
        />
      )}
    </Field>
  );
}

/** Several images in their order, each with its description. */
function ImageList({ path, label }: { readonly path: string; readonly label: string }) {
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
