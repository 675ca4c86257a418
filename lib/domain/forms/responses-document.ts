import { type Answer, type AnsweredFile, type FormResponse, fileText } from './form-response.ts';
import type { FormField } from './form-view.ts';

export type ResponseFormat = 'csv' | 'json';

const byteOrderMark = '\ufeff';
const separatorOfItems = '; ';

/** A response, with the files of its answers by ref if they were read. */
interface ShownResponse extends FormResponse {
  readonly files?: Readonly<Record<string, readonly AnsweredFile[]>>;
}

/**
 * Responses as CSV: a column per field with its ref, then the answers to removed fields and the additional data. The
 * byte order mark makes Excel read UTF-8.
 */
export async function* responsesAsCsv(
  fields: readonly FormField[],
  responses: AsyncIterable<ShownResponse>,
): AsyncGenerator<string> {
  const refs = fields.map(({ ref }) => ref);
  yield byteOrderMark + csvRow(['id', 'createdAt', ...refs, 'otherAnswers', 'meta']);
  for await (const { id, createdAt, answers, meta, files = {} } of responses) {
    const shown = Object.entries(files).map(([ref, some]) => [ref, some.map(fileText)] as const);
    const valuesByRef = new Map<string, Answer>([...Object.entries(answers), ...shown]);
    const others = [...valuesByRef].filter(([ref]) => !refs.includes(ref));
    yield csvRow([
      id,
      createdAt,
      ...refs.map((ref) => cellOf(valuesByRef.get(ref))),
      members(others),
      members(Object.entries(meta)),
    ]);
  }
}

/** Responses as a JSON array of records in export form, one per line. */
export async function* responsesAsJson(responses: AsyncIterable<FormResponse>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const response of responses) {
    yield separator + JSON.stringify(response);
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

const cellOf = (answer: Answer | undefined): string | number =>
  typeof answer === 'number' ? answer : [answer ?? ''].flat().join(separatorOfItems);

const members = (entries: readonly (readonly [string, unknown])[]): string =>
  entries.length === 0 ? '' : JSON.stringify(Object.fromEntries(entries));

/** First characters of a formula, which a spreadsheet would execute. They also have full-width forms. */
const formulaStart = /^[=+\-@]/;

/** One CSV row (RFC 4180). A number is not a formula, even with a sign. */
export const csvRow = (cells: readonly (string | number)[]): string =>
  `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : textCell(cell))).join()}\r\n`;

/** Always quoted, so that neither a local separator nor a line break ends the cell. */
function textCell(text: string): string {
  const shown = withoutControls(text);
  return `"${(isFormula(shown) ? `'${shown}` : shown).replaceAll('"', '""')}"`;
}

/** Removes control characters, which a terminal might interpret. Line breaks and tabs stay. */
const withoutControls = (text: string): string => text.replaceAll(/[^\P{Cc}\t\n\r]/gu, '');

/** Spreadsheets may ignore invisible characters before a formula. */
function isFormula(text: string): boolean {
  if (/^[\t\r\n]/.test(text)) return true;
  const [first = ''] = /[^\p{White_Space}\p{Cf}]/u.exec(text) ?? [];
  return formulaStart.test(first.normalize('NFKC'));
}
