import { useState } from 'react';
import type { FormField } from '#lib/domain/forms/form-field.ts';
import { useLocalized } from '../../data/session-context.tsx';
import { useEditor } from '../../editing/editor-context.tsx';
import { valueAt } from '../../editing/paths.ts';
import { useListField } from '../../editing/use-list-field.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { Fold } from '../../ui/fold.tsx';
import { PlusIcon } from '../../ui/icons.tsx';
import { Empty } from '../../ui/states.tsx';
import { FieldForm } from './field-form.tsx';
import { typeNames } from './field-types.ts';
import { blankField, duplicateOf, numbered } from './form-model.ts';
import { formsTexts } from './texts.ts';
import { useAnswerGuard } from './use-answer-guard.ts';

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

function FieldTags({ field: { type, validations } }: { readonly field: FormField }) {
  const t = useCatalogue(formsTexts);
  return (
    <>
      <span className="tag">{typeNames(t)[type]}</span>
      {validations.required && <span className="tag">{t.required}</span>}
    </>
  );
}
