import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { Form } from '#lib/domain/forms/form.ts';
import type { FormField } from '#lib/domain/forms/form-view.ts';
import { client } from '../../data/client.ts';
import { sendHeld } from '../../data/held.ts';
import { useRecordList } from '../../data/record-list.ts';
import { recordKeys } from '../../data/records.ts';
import { useLocalized, useMay } from '../../data/session-context.tsx';
import { useSearch } from '../../shell/location.ts';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { DayFilter } from '../../ui/filters.tsx';
import { ListBody } from '../../ui/list-body.tsx';
import { Failure, Loading } from '../../ui/states.tsx';
import { useFailureToast, useToast } from '../../ui/toasts.tsx';
import { useSelection } from '../../ui/use-selection.ts';
import { csvParts, fieldsOfRefs, refsIn, startOfDay } from './export.ts';
import { formPaths } from './paths.ts';
import { allResponses, formCalls, formKind, responseKind } from './records.ts';
import { ResponseDialog } from './response-dialog.tsx';
import { ResponseTable } from './response-table.tsx';
import { formsTexts } from './texts.ts';
import type { ResponseQuery, ShownResponse } from './types.ts';
import { useDeleteResponses } from './use-delete-responses.ts';

/** The responses of one form. Its fields are the columns if the member may see them. */
export function ResponsesOfForm({ id }: { readonly id: string }) {
  const mayManage = useMay('forms:form:manage');
  const form = useQuery({
    queryKey: recordKeys.one(formKind, id),
    queryFn: () => formCalls.get(id),
    enabled: mayManage,
  });
  if (form.error && !form.data) return <Failure error={form.error} retry={() => void form.refetch()} />;
  if (mayManage && !form.data) return <Loading />;
  return <Responses formId={id} form={form.data?.record as unknown as Form | undefined} />;
}

interface Props {
  /** Absent for the responses of all forms. */
  readonly formId?: string;
  readonly form?: Form | undefined;
}

export function Responses({ formId, form }: Props) {
  const t = useCatalogue(formsTexts);
  const localized = useLocalized();
  const [search] = useSearch();
  const [opened, setOpened] = useState<ShownResponse>();
  const query = {
    formId,
    since: startOfDay(search.get('since')),
    until: startOfDay(search.get('until'), 1),
  };
  const list = useRecordList<ShownResponse>(responseKind, client.manage.formResponses, { ...query, limit: 50 });
  const selection = useSelection(list.rows.map(({ id }) => id));
  const mayDelete = useMay('forms:response:delete');
  const remove = useDeleteResponses();
  const removeSelected = () => {
    const { ids, clear } = selection;
    void remove(ids, fill(t.responsesCount, { count: ids.length }), clear);
  };
  const fields: readonly FormField[] = form?.fields ?? fieldsOfRefs(refsIn(list.rows));
  const isFiltered = query.since !== undefined || query.until !== undefined;
  return (
    <>
      <header className="screen-head">
        <div>
          {form && (
            <Link href={formPaths.form(form.id)} className="back-link">
              <span dir="auto">{localized(form.title) || form.slug}</span>
            </Link>
          )}
          <h1>{t.responses}</h1>
        </div>
        <ExportButtons
          name={form?.slug ?? 'responses'}
          fields={fields}
          formId={formId}
          filtered={isFiltered ? query : undefined}
          selected={list.rows.filter(({ id }) => selection.has(id))}
        >
          {mayDelete && selection.ids.length > 0 && (
            <button type="button" className="button quiet warns" onClick={removeSelected}>
              {t.deleteSelected}
            </button>
          )}
        </ExportButtons>
      </header>
      <TimeFilter />
      <ListBody list={list} empty={t.noResponses} isFiltered={isFiltered}>
        <ResponseTable fields={fields} responses={list.rows} selection={selection} open={setOpened} />
      </ListBody>
      {opened && <ResponseDialog fields={fields} response={opened} close={() => setOpened(undefined)} />}
    </>
  );
}

function TimeFilter() {
  const t = useCatalogue(formsTexts);
  return (
    <div className="toolbar">
      <DayFilter name="since" label={t.since} />
      <DayFilter name="until" label={t.until} />
    </div>
  );
}

interface ExportProps {
  /** The file name without its extension. */
  readonly name: string;
  readonly fields: readonly FormField[];
  readonly formId: string | undefined;
  /** Absent without a filter. */
  readonly filtered: ResponseQuery | undefined;
  readonly selected: readonly ShownResponse[];
  /** Other buttons for the selected ones. */
  readonly children?: ReactNode;
}

/** Buttons for CSV files, which the browser makes from the pages of the list. */
function ExportButtons({ name, fields, formId, filtered, selected, children }: ExportProps) {
  const t = useCatalogue(formsTexts);
  const toast = useToast();
  const work = useMutation({
    mutationFn: async (responses: AsyncIterable<ShownResponse> | readonly ShownResponse[]) => {
      // A file has no response that the list no longer shows.
      await sendHeld();
      saveCsv(name, await csvParts(fields, responses));
    },
    onSuccess: () => toast({ text: t.exported }),
    onError: useFailureToast(),
  });
  const button = (label: string, responses: () => AsyncIterable<ShownResponse> | readonly ShownResponse[]) => (
    <button type="button" className="button" disabled={work.isPending} onClick={() => work.mutate(responses())}>
      {label}
    </button>
  );
  return (
    <div className="actions">
      <span className="hint" role="status">
        {work.isPending && t.exporting}
      </span>
      {children}
      {selected.length > 0 && button(t.exportSelected, () => selected)}
      {filtered && button(t.exportFiltered, () => allResponses(filtered))}
      {button(t.exportAll, () => allResponses({ formId }))}
    </div>
  );
}

/** Downloads a file that the browser has made. */
function saveCsv(name: string, parts: readonly string[]): void {
  const address = URL.createObjectURL(new Blob([...parts], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = `${name}.csv`;
  link.click();
  // By this time, the browser has begun to read the file.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
