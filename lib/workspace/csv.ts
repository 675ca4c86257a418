/** What a spreadsheet would run instead of showing it, if a cell began with it; in its full-width form, too. */
const formulaStart = /^[=+\-@]/;

/** One line of a table (RFC 4180). A number is no formula, whatever its sign. */
export const csvRow = (cells: readonly (string | number)[]): string =>
  `${cells.map((cell) => (typeof cell === 'number' ? String(cell) : textCell(cell))).join()}\r\n`;

/** Always in quotes, so that neither the separator of another country nor a line break ends it. */
function textCell(text: string): string {
  const shown = withoutControls(text);
  return `"${(isFormula(shown) ? `'${shown}` : shown).replaceAll('"', '""')}"`;
}

/** What no cell can show, and a terminal might obey; line breaks and tabs stay. */
const withoutControls = (text: string): string => text.replaceAll(/[^\P{Cc}\t\n\r]/gu, '');

/** Spreadsheets may drop what cannot be seen before they look at the beginning. */
function isFormula(text: string): boolean {
  if (/^[\t\r\n]/.test(text)) return true;
  const [first = ''] = /[^\p{White_Space}\p{Cf}]/u.exec(text) ?? [];
  return formulaStart.test(first.normalize('NFKC'));
}
