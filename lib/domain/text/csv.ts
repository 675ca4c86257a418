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
