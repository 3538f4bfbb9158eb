/** A cell as spreadsheets read it; one that they would take for a formula begins with an apostrophe. */
function cell(value: string | number): string {
  const text = /^[=+\-@\t\r]/.test(`${value}`) && !/^-?[\d.]+$/.test(`${value}`) ? `'${value}` : `${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as a file of comma-separated values, with a head. DEC-WEB-36. */
export const csvText = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');

/** Saves a text as a file of the viewer. */
export function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
