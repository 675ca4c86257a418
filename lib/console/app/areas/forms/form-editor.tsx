import { useState } from 'react';
import type { Form } from '#lib/domain/forms/form.ts';
import type { FormField } from '#lib/domain/forms/form-view.ts';
import { useLocalized, useMay } from '../../data/session-context.tsx';
import { DeleteButton } from '../../editing/delete-button.tsx';
import { EditorForm } from '../../editing/editor-form.tsx';
import { CheckInput, TextInput } from '../../editing/fields.tsx';
import { ListField } from '../../editing/list-field.tsx';
import { LocalizedInput } from '../../editing/localized-input.tsx';
import { slugOf } from '../../editing/slug.ts';
import { useRecordEditor } from '../../editing/use-record-editor.ts';
import { useSuggested } from '../../editing/use-suggested.ts';
import { navigate } from '../../shell/location.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useTexts } from '../../texts/use-texts.tsx';
import { InUse } from '../../ui/in-use.tsx';
import { FieldList } from './field-list.tsx';
import { formPaths } from './paths.ts';
import { Preview } from './preview.tsx';
import { formCalls, formKind } from './records.ts';
import { formsTexts } from './texts.ts';

const blank = { slug: '', title: {}, enabled: false, notifications: { emails: [] }, fields: [] };

/** The editor of a form: its settings and fields, beside a preview. */
export function FormEditor({ id }: { readonly id?: string }) {
  const t = useCatalogue(formsTexts);
  const shared = useTexts();
  const localized = useLocalized();
  const mayRead = useMay('forms:response:read');
  const editor = useRecordEditor({ kind: formKind, calls: formCalls, id, blank });
  const form = editor.value as unknown as Form;
  const name = localized(form.title) || t.newForm;
  const [inUse, showInUse] = useState<unknown>();
  return (
    <EditorForm
      editor={editor}
      title={name}
      back={{ to: formPaths.forms, text: shared.forms }}
      labelOf={formLabel(form.fields, (text) => localized(text), t)}
      onSaved={(stored) => id === undefined && navigate(formPaths.form(stored), { replace: true, isDone: true })}
      actions={
        id !== undefined && (
          <>
            {mayRead && (
              <a className="button quiet" href={`#${formPaths.responses(id)}`}>
                {t.responses}
              </a>
            )}
            <DeleteButton
              kind={formKind}
              calls={formCalls}
              title={fill(t.deleteFormTitle, { name })}
              back={formPaths.forms}
              id={id}
              name={name}
              editor={editor}
              showInUse={showInUse}
            />
          </>
        )
      }
    >
      <InUse error={inUse} hrefOf={() => (id === undefined ? undefined : formPaths.responses(id))} />
      <div className="forms-builder">
        <div className="stack">
          <Settings isNew={id === undefined} title={localized(form.title)} />
          <FieldList formId={id} />
        </div>
        <Preview form={form} />
      </div>
    </EditorForm>
  );
}

function Settings({ isNew, title }: { readonly isNew: boolean; readonly title: string }) {
  const t = useCatalogue(formsTexts);
  useSuggested('slug', title, slugOf, isNew);
  return (
    <section className="card stack" aria-label={t.settings}>
      <LocalizedInput path="title" label={t.formTitle} />
      <TextInput path="slug" label={t.address} hint={t.addressHint} />
      <CheckInput path="enabled" label={t.enabled} />
      <ListField
        path="notifications.emails"
        label={t.notify}
        addLabel={t.notifyAdd}
        blank={() => ''}
        itemLabel={(item) => String(item)}
      >
        {(path) => <TextInput path={path} label={t.notifyAddress} type="email" direction="ltr" />}
      </ListField>
    </section>
  );
}

/** The label for a path: `fields.2.validations.min` is the minimum of the third question. */
function formLabel(
  fields: readonly FormField[] | undefined,
  localized: (text: FormField['title']) => string,
  t: (typeof formsTexts)['ar'],
): (path: string) => string {
  const members: Readonly<Record<string, string>> = {
    title: t.fieldTitle,
    ref: t.fieldRef,
    type: t.fieldType,
    required: t.required,
    message: t.message,
    minLength: t.minLength,
    maxLength: t.maxLength,
    pattern: t.pattern,
    min: t.min,
    max: t.max,
    step: t.step,
    minItems: t.minItems,
    maxItems: t.maxItems,
    minDate: t.minDate,
    maxDate: t.maxDate,
    options: t.options,
  };
  const whole: Readonly<Record<string, string>> = {
    title: t.formTitle,
    slug: t.address,
    enabled: t.enabled,
    notifications: t.notify,
    fields: t.fields,
  };
  return (path) => {
    const [member = '', index = '', ...rest] = path.split('.');
    const field = fields?.[Number(index)];
    if (member !== 'fields' || !field) return whole[member] ?? path;
    const steps = rest.filter((step) => step !== 'validations' && !/^\d+$/.test(step));
    return [localized(field.title) || field.ref || t.untitled, ...steps.map((step) => members[step] ?? step)].join(
      ', ',
    );
  };
}
