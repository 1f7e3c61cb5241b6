import type { SessionView } from '@weir/shared/people/sessions';
import type { ApiPort } from '../../core/api/call-input';
import { Loadable } from '../../core/state/loadable';

/** The user's sessions. */
export class SessionsState {
  readonly #api: ApiPort;
  readonly sessions: Loadable<readonly SessionView[]>;

  constructor(api: ApiPort) {
    this.#api = api;
    this.sessions = new Loadable(async () => (await api.call('listSessions')).data);
  }

  async revoke(session: SessionView): Promise<void> {
    await this.#api.call('revokeSession', { params: { sessionId: session.id } });
    this.sessions.set((this.sessions.value() ?? []).filter(({ id }) => id !== session.id));
  }

  async revokeOthers(): Promise<void> {
    await this.#api.call('revokeOtherSessions');
    this.sessions.set((this.sessions.value() ?? []).filter(({ current }) => current));
  }
}
