import type { FormField } from '#lib/domain/forms/form-view.ts';
import { useLocalized } from '../../data/session-context.tsx';
import { fill } from '../../texts/catalogue.ts';
import { useCatalogue, useFormatLocale, useShownTime, useTexts } from '../../texts/use-texts.tsx';
import { ButtonsHead, CardTable, Heads } from '../../ui/card-table.tsx';
import { Cell } from '../../ui/cell.tsx';
import { SelectAllCell, SelectCell } from '../../ui/select-cells.tsx';
import type { useSelection } from '../../ui/use-selection.ts';
import { answerText } from './answer-text.ts';
import { formsTexts } from './texts.ts';
import type { ShownResponse } from './types.ts';

interface Props {
  readonly fields: readonly FormField[];
  readonly responses: readonly ShownResponse[];
  readonly selection: ReturnType<typeof useSelection>;
  readonly open: (response: ShownResponse) => void;
}

/** The maximum number of columns beside the time. The dialog shows all fields. */
const columnsMax = 5;

/** A row for each response, newest first. */
export function ResponseTable({ fields, responses, selection, open }: Props) {
  const t = useCatalogue(formsTexts);
  const shared = useTexts();
  const localized = useLocalized();
  const locale = useFormatLocale();
  const columns = fields.filter(({ type }) => type !== 'HIDDEN').slice(0, columnsMax);
  const shownTime = useShownTime();
  const timeOf = ({ createdAt }: ShownResponse) => shownTime(createdAt);
  return (
    <CardTable
      label={t.responses}
      className="forms-answers"
      heads={
        <>
          <SelectAllCell selection={selection} />
          <Heads texts={[t.received]} />
          {columns.map(({ ref, title }) => (
            <th key={ref} scope="col" dir="auto">
              {localized(title) || ref}
            </th>
          ))}
          <ButtonsHead text={t.read} />
        </>
      }
    >
      {responses.map((response) => (
        <tr key={response.id}>
          <SelectCell selection={selection} id={response.id} name={timeOf(response)} />
          <th scope="row" className="nowrap">
            {timeOf(response)}
          </th>
          {columns.map((field) => (
            <Cell key={field.ref} label={localized(field.title) || field.ref} className="forms-answer" dir="auto">
              {answerText(field, response, { localized, locale, yes: shared.yes, no: shared.no })}
            </Cell>
          ))}
          <Cell>
            <button
              type="button"
              className="button small"
              aria-label={fill(t.readOf, { time: timeOf(response) })}
              onClick={() => open(response)}
            >
              {t.read}
            </button>
          </Cell>
        </tr>
      ))}
    </CardTable>
  );
}
