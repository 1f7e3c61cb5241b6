/**
 * Gives a text to the browser to be stored as a file. It was made in the page: the server keeps
 * nothing that it could be fetched from again.
 */
export function downloadFile(
  document: Document,
  { name, text, type }: { readonly name: string; readonly text: string; readonly type: string },
): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has taken the file by then; the values must not stay behind an address.
  setTimeout(() => URL.revokeObjectURL(address));
}
