import type { KeyCreated, KeyView } from '@weir/shared/people/keys';

/** A key as lists show it: the value must not live on in the state of a page. */
export function withoutValue(created: KeyCreated): KeyView {
  const view: Partial<KeyCreated> & KeyView = { ...created };
  delete view.value;
  return view;
}
