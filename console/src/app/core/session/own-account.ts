import { effect } from '@angular/core';
import type { AccountView } from '@weir/shared/people/accounts';
import type { ApiPort } from '../api/call-input';
import { Loadable } from '../state/loadable';
import type { Session } from './session';

/** The account of the logged-in user, with its live balance: in the margin of every page. */
export class OwnAccount extends Loadable<AccountView> {
  constructor(api: ApiPort) {
    super(() => api.call('getOwnAccount'));
  }
}

/**
 * Loads the account when someone logs in. When they leave, it is forgotten with everything else
 * that was theirs (`forget`): the next person at this browser must find nothing. Needs an injection
 * context.
 */
export function followSession(account: OwnAccount, session: Session, forget: () => void): void {
  effect(() => {
    const { kind } = session.state();
    if (kind === 'present') void account.load();
    // Not before it is known: a tab that is reloaded finds what it has begun.
    else if (kind !== 'unknown') {
      account.clear();
      forget();
    }
  });
}
