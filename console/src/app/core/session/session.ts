import { computed, signal, type Signal } from '@angular/core';
import type { SessionCreate } from '@weir/shared/sessions';
import type { UserPreferencesUpdate, UserView } from '@weir/shared/users';
import type { ApiPort } from '../api/call-input';

/**
 * Who is there.
 *
 *   unknown ──restore──► absent ──logIn──► present
 *      └───────restore───────────────────────┘ │
 *                         ▲──logOut, noteEnd───┤
 *                      replaced ◄──noteOther───┘
 *
 * `unknown` lasts until the first answer of the server: guards wait for it, so that a reload of a deep
 * link never flashes the login page. The session itself is an HttpOnly cookie that no script can read, and all tabs
 * share it: `replaced` is a page under which another tab has logged someone else in. It has to be loaded anew.
 */
export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'absent'; readonly ended: boolean }
  | { readonly kind: 'present'; readonly user: UserView }
  | { readonly kind: 'replaced' };

export class Session {
  readonly #api: () => ApiPort;
  readonly #state = signal<SessionState>({ kind: 'unknown' });
  #restoring: Promise<void> | undefined;

  readonly state: Signal<SessionState> = this.#state.asReadonly();
  readonly user = computed(() => {
    const state = this.#state();
    return state.kind === 'present' ? state.user : undefined;
  });
  readonly isAdmin = computed(() => this.user()?.role === 'admin');

  /** `api` is a function because the client's interceptors need the session in turn. */
  constructor(api: () => ApiPort) {
    this.#api = api;
  }

  /** Asks the server once who is there; later calls wait for the same answer. */
  restore(): Promise<void> {
    return (this.#restoring ??= this.#restore());
  }

  async #restore(): Promise<void> {
    try {
      this.#enter(await this.#api().call('getOwnUser'));
    } catch {
      // Not logged in, or no server: either way nobody is there, and the page that follows says why.
      if (this.#state().kind === 'unknown') this.#state.set({ kind: 'absent', ended: false });
    }
  }

  async logIn(credentials: SessionCreate): Promise<UserView> {
    const { user } = await this.#api().call('logIn', { body: credentials });
    this.#enter(user);
    return user;
  }

  async logOut(): Promise<void> {
    await this.#api().call('logOut');
    this.#state.set({ kind: 'absent', ended: false });
  }

  /** The server no longer knows the session. */
  noteEnd(): void {
    const wasPresent = this.#state().kind === 'present';
    this.#state.set({ kind: 'absent', ended: wasPresent });
  }

  /** The server has someone else's session. */
  noteOther(): void {
    this.#state.set({ kind: 'replaced' });
  }

  /** Asks whether it is still the same one that is there. */
  async recheck(): Promise<void> {
    try {
      const { id } = await this.#api().call('getOwnUser');
      if (id !== this.user()?.id) this.noteOther();
    } catch {
      // That it has ended, or is another, is noted with every reply; any other failure says nothing about it.
    }
  }

  async updatePreferences(preferences: UserPreferencesUpdate): Promise<void> {
    this.#enter(await this.#api().call('updateOwnUser', { body: preferences }));
  }

  /** After something about the user changed elsewhere, such as her second factor. */
  async refresh(): Promise<void> {
    this.#enter(await this.#api().call('getOwnUser'));
  }

  #enter(user: UserView): void {
    this.#state.set({ kind: 'present', user });
  }
}
