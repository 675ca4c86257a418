import { useState } from 'react';
import type { FormField, FormFieldType } from '#lib/domain/forms/form-view.ts';
import { textIn } from '../../data/localized.ts';
import { useLocalized, useMay, useProfile } from '../../data/session-context.tsx';
import { useEditor } from '../../editing/editor-context.tsx';
import { CheckInput, TextInput } from '../../editing/fields.tsx';
import { LocalizedInput } from '../../editing/localized-input.tsx';
import { valueAt } from '../../editing/paths.ts';
import { TypeInput } from '../../editing/type-input.tsx';
import { useListField } from '../../editing/use-list-field.ts';
import { useSuggested } from '../../editing/use-suggested.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { Fold } from '../../ui/fold.tsx';
import { PlusIcon } from '../../ui/icons.tsx';
import { Empty } from '../../ui/states.tsx';
import { blankField, duplicateOf, numbered, unusedRef, withType } from './form-model.ts';
import { countAnswers } from './records.ts';
import { Rules } from './rules.tsx';
import { formsTexts } from './texts.ts';

/** The questions of a form in their order. Each can be opened and edited. @param formId absent for a new form */
export function FieldList({ formId }: { readonly formId: string | undefined }) {
  const t = useCatalogue(formsTexts);
  const localized = useLocalized();
  const { faults, storedValue } = useEditor();
  const { items, keys, error, add, insert, remove, move } = useListField<FormField>('fields', numbered);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const mayRemove = useAnswerGuard(formId);
  const stored = (valueAt(storedValue, 'fields') ?? []) as readonly FormField[];
  const newId = () => `field_${crypto.randomUUID()}`;
  const show = (id: string, isOpen = true) => {
    const next = new Set(open);
    if (isOpen) next.add(id);
    else next.delete(id);
    setOpen(next);
  };
  return (
    <section className="stack" aria-label={t.fields}>
      <h2>{t.fields}</h2>
      {items.length === 0 && <Empty>{t.noFields}</Empty>}
      <ol className="folds">
        {items.map((field, index) => {
          const name = localized(field.title) || t.untitled;
          const hasFault = faults.some(({ path }) => path.startsWith(`fields.${index}.`));
          const isOpen = hasFault || open.has(field.id);
          const isStored = stored.some(({ id }) => id === field.id);
          return (
            <Fold
              key={keys[index]}
              name={name}
              hasFault={hasFault}
              index={index}
              move={move}
              count={items.length}
              isOpen={isOpen}
              toggle={() => show(field.id, !open.has(field.id))}
              tags={<FieldTags field={field} />}
            >
              <FieldForm
                path={`fields.${index}`}
                field={field}
                isRefFixed={isStored}
                duplicate={() => {
                  const copy = duplicateOf(field, newId(), items);
                  insert(index + 1, copy);
                  show(copy.id);
                }}
                remove={async () => {
                  if (!isStored || (await mayRemove(field.ref, name))) remove(index);
                }}
              />
            </Fold>
          );
        })}
      </ol>
      {error !== undefined && <p className="error">{error}</p>}
      <div>
        <button
          type="button"
          className="button"
          onClick={() => {
            const field = blankField(newId(), items);
            add(field);
            show(field.id);
          }}
        >
          <PlusIcon />
          {t.addField}
        </button>
      </div>
    </section>
  );
}

/**
 * Asks before a stored question is removed, with the number of its answers.
 * @returns a function that asks; its promise is true immediately for a question without answers
 */
function useAnswerGuard(formId: string | undefined): (ref: string, name: string) => Promise<boolean> {
  const t = useCatalogue(formsTexts);
  const shared = useTexts();
  const confirm = useConfirm();
  const mayRead = useMay('forms:response:read');
  return async (ref, name) => {
    if (formId === undefined) return true;
    // A failed count must not block the removal. The dialog then shows no number.
    const counted = mayRead ? await countAnswers(formId, ref).catch(() => undefined) : undefined;
    if (counted?.answers === 0 && counted.isAll) return true;
    const text = counted ? (counted.isAll ? t.removeFieldAnswers : t.removeFieldMany) : t.removeFieldMaybe;
    return confirm({
      title: fill(t.removeFieldTitle, { name }),
      text: fill(text, { count: counted?.answers ?? 0 }),
      action: shared.remove,
      isDangerous: true,
    });
  };
}

function FieldTags({ field: { type, validations } }: { readonly field: FormField }) {
  const t = useCatalogue(formsTexts);
  return (
    <>
      <span className="tag">{typeNames(t)[type]}</span>
      {validations.required && <span className="tag">{t.required}</span>}
    </>
  );
}

/** Every type of a field with its name, in the order of a menu of types. */
const typeNames = (t: (typeof formsTexts)['ar']): Readonly<Record<FormFieldType, string>> => ({
  TEXT: t.typeText,
  TEXTAREA: t.typeTextarea,
  EMAIL: t.typeEmail,
  PHONE: t.typePhone,
  NUMBER: t.typeNumber,
  RATING: t.typeRating,
  DATE: t.typeDate,
  TIME: t.typeTime,
  DATETIME: t.typeDatetime,
  SELECT: t.typeSelect,
  RADIO: t.typeRadio,
  MULTI_SELECT: t.typeMultiSelect,
  CHECKBOX: t.typeCheckbox,
  CONSENT: t.typeConsent,
  FILE: t.typeFile,
  URL: t.typeUrl,
  HIDDEN: t.typeHidden,
});

interface FieldProps {
  /** Such as `fields.2`. */
  readonly path: string;
  readonly field: FormField;
  /** Answers are stored under the ref, so it cannot change. */
  readonly isRefFixed: boolean;
  readonly duplicate: () => void;
  readonly remove: () => Promise<void>;
}

/** The settings of one question. */
function FieldForm({ path, field, isRefFixed, duplicate, remove }: FieldProps) {
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
