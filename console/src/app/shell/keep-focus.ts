/** The elements that get the focus in the next step of a dialog: fields, or else buttons. */
const WANTED = [
  'input:enabled:not([type=radio], [type=checkbox]), textarea:enabled',
  'button:enabled, a[href]',
];

/**
 * Gives the focus back to a user who loses it without having done anything for it: browsers let it
 * fall when a button is disabled while its work is done, and when an entry, a form or a step of a
 * dialog goes. Someone without a mouse would then begin at the top of the page again, and behind an
 * open dialog.
 *
 * It returns to the same element as soon as that can have it; else to the dialog on top, or to the
 * page's content.
 */
export function keepFocus(document: Document): () => void {
  const { body } = document;
  let holder: Element | undefined;

  const took = ({ target }: FocusEvent): void => {
    holder = target instanceof Element ? target : undefined;
  };
  const left = ({ target }: FocusEvent): void => {
    // Later: the event comes while an element about to be removed is still there.
    queueMicrotask(() => {
      if (target === holder && canHaveFocus(target)) holder = undefined;
    });
  };
  const observer = new MutationObserver(() => {
    if (holder === undefined || document.activeElement !== body) return;
    const heir = holder.isConnected ? holder : heirIn(document);
    if (canHaveFocus(heir)) heir.focus({ preventScroll: true });
  });

  document.addEventListener('focusin', took);
  document.addEventListener('focusout', left);
  observer.observe(body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  return () => {
    document.removeEventListener('focusin', took);
    document.removeEventListener('focusout', left);
    observer.disconnect();
  };
}

function canHaveFocus(target: EventTarget | null): target is HTMLElement {
  return target instanceof HTMLElement && target.isConnected && !target.matches(':disabled');
}

function heirIn(document: Document): Element | null {
  const dialog = [...document.querySelectorAll('mat-dialog-container')].at(-1);
  if (dialog === undefined) return document.querySelector('main');
  for (const selector of WANTED) {
    const wanted = dialog.querySelector(selector);
    if (wanted !== null) return wanted;
  }
  return dialog;
}
