import { useState } from 'react';
import { client } from '../../data/client.ts';
import { useLocalized, useMay } from '../../data/session-context.tsx';
import { DeleteButton } from '../../editing/delete-button.tsx';
import { EditorForm } from '../../editing/editor-form.tsx';
import { TextInput } from '../../editing/fields.tsx';
import { LocalizedInput } from '../../editing/localized-input.tsx';
import { unusedKey } from '../../editing/unused-key.ts';
import { useRecordEditor } from '../../editing/use-record-editor.ts';
import { useSuggested } from '../../editing/use-suggested.ts';
import { navigate } from '../../shell/location.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { InUse } from '../../ui/in-use.tsx';
import { FieldList } from './field-list.tsx';
import { contentPaths, pathOfReferrer } from './paths.ts';
import { databaseKind } from './records.ts';
import { contentTexts } from './texts.ts';
import type { DraftField } from './types.ts';

const blank = { id: '', name: {}, fields: [] };

/** The form of one database: its name and its fields. */
export function DatabaseEditor({ id }: { readonly id?: string }) {
  const t = useCatalogue(contentTexts);
  const localized = useLocalized();
  const mayManage = useMay('cms:model:manage');
  const editor = useRecordEditor({ kind: databaseKind, calls: client.manage.cmsModels, id, blank });
  const name = localized(editor.value['name'] as Readonly<Record<string, string>>) || id || t.newDatabase;
  const [inUse, showInUse] = useState<unknown>();
  return (
    <EditorForm
      editor={editor}
      title={name}
      back={{ to: contentPaths.databases, text: t.databases }}
      labelOf={(path) => labelOf(path, editor.value['fields'] as readonly DraftField[], t, localized)}
      onSaved={(stored) => id === undefined && navigate(contentPaths.database(stored), { replace: true, isDone: true })}
      actions={
        <>
          {id !== undefined && (
            <a className="button quiet" href={`#${contentPaths.entries(id)}`}>
              {t.entries}
            </a>
          )}
          {id !== undefined && mayManage && (
            <DeleteButton
              kind={databaseKind}
              calls={client.manage.cmsModels}
              title={fill(t.deleteDatabaseTitle, { name })}
              back={contentPaths.databases}
              id={id}
              name={name}
              editor={editor}
              showInUse={showInUse}
            />
          )}
        </>
      }
    >
      <InUse error={editor.failure ?? inUse} hrefOf={pathOfReferrer} />
      <section className="card stack">
        <LocalizedInput path="name" label={t.databaseName} />
        {id === undefined ? (
          <IdInput name={localized(editor.value['name'] as DraftField['name'])} />
        ) : (
          <p className="hint">
            {t.databaseId}: <code dir="ltr">{id}</code>
          </p>
        )}
      </section>
      <FieldList modelId={id} />
    </EditorForm>
  );
}

function IdInput({ name }: { readonly name: string }) {
  const t = useCatalogue(contentTexts);
  useSuggested('id', name, (text) => unusedKey(text, [], 'database'), true);
  return <TextInput path="id" label={t.databaseId} hint={t.databaseIdHint} direction="ltr" />;
}

/** The label of a path such as `fields.2.name.en` in a list of issues. */
function labelOf(
  path: string,
  fields: readonly DraftField[],
  t: (typeof contentTexts)['ar'],
  localized: (text: DraftField['name']) => string,
): string {
  const [list, index = '', member = '', ...rest] = path.split('.');
  const members: Readonly<Record<string, string>> = {
    name: t.fieldName,
    key: t.fieldKey,
    type: t.fieldType,
    options: t.options,
    relation: t.relationTo,
    localized: t.localized,
    required: t.required,
    hidden: t.hidden,
    many: t.manyImages,
    indexed: t.unindexed,
  };
  if (list === 'name') return [t.databaseName, index].filter(Boolean).join(', ');
  if (list === 'id') return t.databaseId;
  const field = fields?.[Number(index)];
  if (list !== 'fields' || !field) return t.fields;
  const name = localized(field.name) || field.key || t.unnamedField;
  return [name, members[member] ?? member, ...rest.filter((step) => !/^\d+$/.test(step))].filter(Boolean).join(', ');
}
