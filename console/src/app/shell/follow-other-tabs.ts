import { effect } from '@angular/core';
import type { Session } from '../core/session/session';

const CHANNEL = 'weir-session';

/** The user and the account that they act in, as tabs say it to each other. */
function whoActs(session: Session): string | undefined {
  const userId = session.user()?.id;
  return userId === undefined ? undefined : `${userId} ${session.membership()?.accountId ?? ''}`;
}

/**
 * All tabs share one session: when someone else logs in in one of them, or chooses another account,
 * the others must not go on under the old name. Each reports to the others who is logged in, and
 * asks the server when it hears of someone else or is looked at again. Needs an injection context.
 * Answers what ends it.
 */
export function followOtherTabs(session: Session, view: Window): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  effect(() => {
    const { kind } = session.state();
    if (kind === 'present' || kind === 'absent') channel.postMessage(whoActs(session));
  });
  channel.addEventListener('message', ({ data }) => {
    if (session.state().kind !== 'unknown' && data !== whoActs(session)) void session.recheck();
  });
  const look = (): void => {
    const hasPage = session.user() !== undefined || session.former !== undefined;
    if (view.document.visibilityState === 'visible' && hasPage) void session.recheck();
  };
  view.addEventListener('focus', look);
  view.document.addEventListener('visibilitychange', look);
  return () => {
    channel.close();
    view.removeEventListener('focus', look);
    view.document.removeEventListener('visibilitychange', look);
  };
}
