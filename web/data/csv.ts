/** A cell as spreadsheets read it; one that they would take for a formula begins with an apostrophe. */
function cell(value: string | number): string {
  const text = /^[=+\-@\t\r\n]/.test(`${value}`) && !/^-?[\d.]+$/.test(`${value}`) ? `'${value}` : `${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as a file of comma-separated values, with a head. DEC-WEB-36. */
export const csvText = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
