import type { FormField } from '#lib/domain/forms/form-field.ts';
import { textIn } from '../../data/localized.ts';
import { useProfile } from '../../data/session-context.tsx';
import { useEditor } from '../../editing/editor-context.tsx';
import { CheckInput, TextInput } from '../../editing/fields.tsx';
import { LocalizedInput } from '../../editing/localized-input.tsx';
import { TypeInput } from '../../editing/type-input.tsx';
import { useSuggested } from '../../editing/use-suggested.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { typeNames } from './field-types.ts';
import { unusedRef, withType } from './form-model.ts';
import { Rules } from './rules.tsx';
import { formsTexts } from './texts.ts';

interface Props {
  /** Such as `fields.2`. */
  readonly path: string;
  readonly field: FormField;
  /** Answers are stored under the ref, so it cannot change. */
  readonly isRefFixed: boolean;
  readonly duplicate: () => void;
  readonly remove: () => Promise<void>;
}

/** The settings of one question. */
export function FieldForm({ path, field, isRefFixed, duplicate, remove }: Props) {
  const t = useCatalogue(formsTexts);
  const { value } = useEditor();
  const others = (value['fields'] as readonly FormField[]).filter((other) => other !== field);
  const title = textIn(field.title, ['en', useProfile().workspace.defaultLanguage]);
  useSuggested(`${path}.ref`, title, (text) => unusedRef(text, others), !isRefFixed);
  return (
    <div className="stack">
      <LocalizedInput path={`${path}.title`} label={t.fieldTitle} />
      <div className="form-grid">
        <TypeInput path={path} label={t.fieldType} field={field} names={typeNames(t)} withType={withType} />
        {isRefFixed ? (
          <p className="hint">
            {t.fieldRef}: <code dir="ltr">{field.ref}</code>
          </p>
        ) : (
          <TextInput path={`${path}.ref`} label={t.fieldRef} hint={t.fieldRefHint} direction="ltr" />
        )}
      </div>
      <CheckInput path={`${path}.validations.required`} label={t.required} />
      <Rules path={`${path}.validations`} type={field.type} />
      <div className="actions">
        <button type="button" className="button quiet" onClick={duplicate}>
          {t.duplicate}
        </button>
        <button type="button" className="button quiet warns" onClick={() => void remove()}>
          {t.removeField}
        </button>
      </div>
    </div>
  );
}
