/**
 * Puts a text on the clipboard; false when the browser does not let us. The modern way exists only
 * over https, so a console on a private network needs the old one.
 */
export async function copyText(text: string, document: Document): Promise<boolean> {
  const clipboard: Clipboard | undefined = document.defaultView?.navigator.clipboard;
  try {
    if (clipboard !== undefined) {
      await clipboard.writeText(text);
      return true;
    }
  } catch {
    // Permission denied: try the old way.
  }
  return copyBySelection(text, document);
}

function copyBySelection(text: string, document: Document): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.className = 'unseen';
  // Inside a dialog the focus is trapped; an element of the dialog may be selected, one of the body
  // may not.
  const place = document.activeElement?.closest('[role=dialog]') ?? document.body;
  const focused = document.activeElement;
  place.append(area);
  area.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- The only way without https; see above.
  const done = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return done;
}
