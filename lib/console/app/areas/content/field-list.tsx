import { useState } from 'react';
import { useLocalized } from '../../data/session-context.tsx';
import { useEditor } from '../../editing/editor-context.tsx';
import { isEqual, valueAt } from '../../editing/paths.ts';
import { editingTexts } from '../../editing/texts.ts';
import { useListField } from '../../editing/use-list-field.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { Fold } from '../../ui/fold.tsx';
import { PlusIcon } from '../../ui/icons.tsx';
import { Empty } from '../../ui/states.tsx';
import { blankField } from './database-model.ts';
import { FieldForm } from './field-form.tsx';
import { typeNames } from './field-types.ts';
import { contentTexts } from './texts.ts';
import type { DraftField } from './types.ts';

/** The fields of a database in their order. Each can be opened and edited. @param modelId absent for a new database */
export function FieldList({ modelId }: { readonly modelId: string | undefined }) {
  const t = useCatalogue(contentTexts);
  const shared = useCatalogue(editingTexts);
  const localized = useLocalized();
  const confirm = useConfirm();
  const { faults, storedValue } = useEditor();
  const { items, keys, error, add, remove, move } = useListField<DraftField>('fields');
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const stored = (valueAt(storedValue, 'fields') ?? []) as readonly DraftField[];

  const toggle = (key: number, isOpen: boolean) => {
    const next = new Set(open);
    if (isOpen) next.add(key);
    else next.delete(key);
    setOpen(next);
  };
  const addBlank = () => {
    add(blankField(items.map(({ key }) => key)));
    setOpen(new Set([...open, (keys.at(-1) ?? 0) + 1]));
  };
  const askAndRemove = async (index: number, name: string) => {
    const isStored = stored.some(({ key }) => key === items[index]?.key);
    const question = { title: fill(t.removeFieldTitle, { name }), text: t.removeFieldText, action: shared.remove };
    if (!isStored || modelId === undefined || (await confirm({ ...question, isDangerous: true }))) remove(index);
  };

  return (
    <section className="stack" aria-label={t.fields}>
      <h2>{t.fields}</h2>
      {items.length === 0 && <Empty>{t.noFields}</Empty>}
      <ol className="folds">
        {items.map((field, index) => {
          const key = keys[index] ?? index;
          const name = localized(field.name) || field.key || t.unnamedField;
          const hasFault = faults.some(({ path }) => path.startsWith(`fields.${index}.`));
          const isNew = !stored.some((storedField) => storedField.key === field.key);
          const isChanged = !isNew && !stored.some((storedField) => isEqual(storedField, field));
          return (
            <Fold
              key={key}
              name={name}
              hasFault={hasFault}
              index={index}
              move={move}
              count={items.length}
              isOpen={hasFault || open.has(key)}
              toggle={() => toggle(key, !open.has(key))}
              tags={<FieldTags field={field} isUnsaved={isNew || isChanged} />}
            >
              <FieldForm
                path={`fields.${index}`}
                field={field}
                isKeyFixed={!isNew && modelId !== undefined}
                remove={() => void askAndRemove(index, name)}
              />
            </Fold>
          );
        })}
      </ol>
      {error !== undefined && <p className="error">{error}</p>}
      <div>
        <button type="button" className="button" onClick={addBlank}>
          <PlusIcon />
          {t.addField}
        </button>
      </div>
    </section>
  );
}

function FieldTags({ field, isUnsaved }: { readonly field: DraftField; readonly isUnsaved: boolean }) {
  const t = useCatalogue(contentTexts);
  const shared = useCatalogue(editingTexts);
  return (
    <>
      <code dir="ltr">{field.key}</code>
      <span className="tag">{typeNames(t)[field.type]}</span>
      {field.required && <span className="tag">{t.required}</span>}
      {field.hidden && <span className="tag warns">{t.hidden}</span>}
      {isUnsaved && <span className="tag good">{shared.unsaved}</span>}
    </>
  );
}
