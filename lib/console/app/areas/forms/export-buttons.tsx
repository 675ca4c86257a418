import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { FormField } from '#lib/domain/forms/form-field.ts';
import { sendHeld } from '../../data/held.ts';
import { saveFile } from '../../data/save-file.ts';
import { useCatalogue } from '../../texts/use-texts.tsx';
import { useFailureToast, useToast } from '../../ui/toasts.tsx';
import { csvParts } from './export.ts';
import { allResponses } from './records.ts';
import { formsTexts } from './texts.ts';
import type { ResponseQuery, ShownResponse } from './types.ts';

interface Props {
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
export function ExportButtons({ name, fields, formId, filtered, selected, children }: Props) {
  const t = useCatalogue(formsTexts);
  const toast = useToast();
  const work = useMutation({
    mutationFn: async (responses: AsyncIterable<ShownResponse> | readonly ShownResponse[]) => {
      // A file has no response that the list no longer shows.
      await sendHeld();
      saveFile(`${name}.csv`, 'text/csv;charset=utf-8', await csvParts(fields, responses));
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
