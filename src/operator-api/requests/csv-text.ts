/** What a cell can hold. */
export type CsvCell = string | number | boolean | null;

/** Whole and decimal numbers stay what they are, also below zero. */
const plainNumber = /^-?\d+(?:\.\d+)?$/;
/** Spreadsheets take text that begins so for a formula. */
const formulaStart = /^[=+\-@\t\r\n]/;
const needsQuotes = /[",\r\n]/;

/** A cell: nothing for null; text that a spreadsheet would run is marked as text by an apostrophe. DEC-OPR-228. */
function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = formulaStart.test(text) && !plainNumber.test(text) ? `'${text}` : text;
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A row of a CSV table, with its line break. RFC 4180. */
export const csvRow = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(',')}\r\n`;
