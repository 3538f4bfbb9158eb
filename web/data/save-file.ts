/** Saves a text as a file on the viewer's machine; `type`: what it is, such as `text/csv`. */
export function saveFile(name: string, text: string, type = 'text/csv'): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Browsers begin to read it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
