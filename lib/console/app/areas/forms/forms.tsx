import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Form } from '#lib/domain/forms/form.ts';
import { useRecordList } from '../../data/record-list.ts';
import { useRefresh } from '../../data/records.ts';
import { useLocalized, useMay } from '../../data/session-context.tsx';
import { DeletedLink } from '../../history/deleted.tsx';
import { leaveRecord, useUndo } from '../../history/use-undo.tsx';
import { navigate, useSearch } from '../../shell/location.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale, useTexts } from '../../texts/use-texts.tsx';
import { ButtonsHead, CardTable, Heads, NumberHead } from '../../ui/card-table.tsx';
import { Cell } from '../../ui/cell.tsx';
import { ListScreen } from '../../ui/list-screen.tsx';
import { useFailureToast, useToast } from '../../ui/toasts.tsx';
import { copyOfForm } from './form-model.ts';
import { formPaths } from './paths.ts';
import { formCalls, formKind } from './records.ts';
import { formsTexts } from './texts.ts';

/** All forms, with links to their fields and responses. */
export function Forms() {
  const t = useCatalogue(formsTexts);
  const shared = useTexts();
  const [search] = useSearch();
  const q = search.get('q');
  const list = useRecordList<Form>(formKind, formCalls, { q });
  return (
    <ListScreen
      title={shared.forms}
      add={{ to: formPaths.newForm, label: t.newForm }}
      tools={<DeletedLink to={formPaths.deleted} />}
      searchLabel={t.searchForms}
      list={list}
      empty={t.noForms}
    >
      <FormTable forms={list.rows} />
    </ListScreen>
  );
}

function FormTable({ forms }: { readonly forms: readonly Form[] }) {
  const t = useCatalogue(formsTexts);
  const shared = useTexts();
  return (
    <CardTable
      label={shared.forms}
      heads={
        <>
          <Heads texts={[t.form, t.address, t.status]} />
          <NumberHead text={t.fieldCount} />
          <ButtonsHead text={shared.edit} />
        </>
      }
    >
      {forms.map((form) => (
        <FormRow key={form.id} form={form} slugs={forms.map(({ slug }) => slug)} />
      ))}
    </CardTable>
  );
}

function FormRow({ form, slugs }: { readonly form: Form; readonly slugs: readonly string[] }) {
  const t = useCatalogue(formsTexts);
  const localized = useLocalized();
  const locale = useFormatLocale();
  const toast = useToast();
  const refresh = useRefresh();
  const undo = useUndo();
  const mayRead = useMay('forms:response:read');
  const name = localized(form.title) || form.slug;
  const copy = useMutation({
    mutationFn: () => formCalls.create(copyOfForm(form, slugs)),
    onSuccess: async ({ record, etag }) => {
      const leave = () => leaveRecord(record.id, formPaths.forms);
      toast({ text: t.duplicated, action: undo.ofCreation(formKind, formCalls, { id: record.id, etag }, leave) });
      await refresh(formKind);
      navigate(formPaths.form(record.id));
    },
    onError: useFailureToast(),
  });
  return (
    <tr>
      <th scope="row" dir="auto">
        <Link href={formPaths.form(form.id)}>{name}</Link>
      </th>
      <Cell label={t.address}>
        <code dir="ltr">{form.slug}</code>
      </Cell>
      <Cell label={t.status}>
        <span className={`tag ${form.enabled ? 'good' : ''}`}>{form.enabled ? t.open : t.closed}</span>
      </Cell>
      <Cell label={t.fieldCount} className="number">
        {form.fields.length.toLocaleString(locale)}
      </Cell>
      <Cell>
        <div className="actions">
          {mayRead && (
            <Link
              href={formPaths.responses(form.id)}
              className="button small"
              aria-label={fill(t.responsesOf, { name })}
            >
              {t.responses}
            </Link>
          )}
          <button
            type="button"
            className="button small quiet"
            aria-label={`${t.duplicate}: ${name}`}
            disabled={copy.isPending}
            onClick={() => copy.mutate()}
          >
            {t.duplicate}
          </button>
        </div>
      </Cell>
    </tr>
  );
}
