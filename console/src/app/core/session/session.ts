import { computed, type Signal } from '@angular/core';
import type { SessionCreate } from '@weir/shared/sessions';
import type { RouteId } from '@weir/shared/admin-routes';
import { mayCall } from '@weir/shared/permissions';
import type { UserPreferencesUpdate, UserView } from '@weir/shared/users';
import type { Failure } from '../api/api-failure';
import type { ApiPort } from '../api/call-input';
import { Loadable } from '../state/loadable';
import { pauseFor, persist, type Pause } from '../state/persist';

/**
 * Who is there.
 *
 *   unknown ──restore──► absent ──logIn──► present
 *      └───────restore───────────────────────┘ │
 *                         ▲──logOut, noteEnd───┤
 *                      replaced ◄──noteOther───┘
 *
 * `unknown` lasts until the server has said who is there: guards wait for it, so that a reload of a
 * deep link never shows the login page, not even while the server fails. The session itself is an
 * HttpOnly cookie that no script can read, and all tabs share it: `replaced` is a page under which
 * another tab has logged someone else in. It has to be reloaded.
 */
export type SessionState = { readonly kind: 'unknown' } | KnownState;

type KnownState =
  | { readonly kind: 'absent'; readonly ended: boolean }
  | { readonly kind: 'present'; readonly user: UserView }
  | { readonly kind: 'replaced' };

const UNKNOWN: SessionState = { kind: 'unknown' };

export class Session {
  readonly #api: () => ApiPort;
  readonly #pause: Pause;
  readonly #known = new Loadable<KnownState>(() => this.#ask());
  readonly #settled = Promise.withResolvers<undefined>();
  #restoring: Promise<unknown> | undefined;

  readonly state: Signal<SessionState> = computed(() => this.#known.value() ?? UNKNOWN);
  /** Why it is not known who is there. */
  readonly failure = computed((): Failure | undefined =>
    this.#known.value() === undefined ? this.#known.failure() : undefined,
  );
  readonly user = computed(() => {
    const state = this.state();
    return state.kind === 'present' ? state.user : undefined;
  });
  readonly isAdmin = computed(() => this.user()?.role === 'admin');
  readonly role = computed(() => this.user()?.role);

  #former: UserView | undefined;

  /** The user whose session ended under a page that is still there. */
  get former(): UserView | undefined {
    return this.#former;
  }

  /** `api` is a function because the client's interceptors need the session in turn. */
  constructor(api: () => ApiPort, pause = pauseFor) {
    this.#api = api;
    this.#pause = pause;
  }

  /** Whether the user's role permits a route of the API: what would be refused is not offered. */
  may(routeId: RouteId): boolean {
    const role = this.role();
    return role !== undefined && mayCall(role, routeId);
  }

  /**
   * Waits until it is known who is there. Asks once for all who wait, and again when the server
   * fails.
   */
  restore(): Promise<unknown> {
    return (this.#restoring ??= persist(
      () => this.retry(),
      () => this.#known.value() !== undefined,
      (ms) => Promise.race([this.#pause(ms), this.#settled.promise]),
    ).then(() => this.#settled.promise));
  }

  async retry(): Promise<void> {
    await this.#known.loadWhenIdle();
    if (this.#known.value() !== undefined) this.#settled.resolve(undefined);
  }

  #note(state: KnownState): void {
    this.#known.set(state);
    this.#settled.resolve(undefined);
  }

  /** That nobody is there has to be said by the server: one that fails says nothing. */
  async #ask(): Promise<KnownState> {
    const { user } = await this.#api().call('getPresence');
    return user === null ? { kind: 'absent', ended: false } : { kind: 'present', user };
  }

  async logIn(credentials: SessionCreate): Promise<UserView> {
    const { user } = await this.#api().call('logIn', { body: credentials });
    this.#enter(user);
    return user;
  }

  /**
   * Logs in over a page that is still there. For another user than the page's it is `replaced`:
   * what the former one has typed is not for them.
   */
  async logInAgain(credentials: SessionCreate): Promise<UserView> {
    const { user } = await this.#api().call('logIn', { body: credentials });
    if (user.id === this.#former?.id) this.#enter(user);
    else this.noteOther();
    return user;
  }

  async logOut(): Promise<void> {
    await this.#api().call('logOut');
    this.#former = undefined;
    this.#note({ kind: 'absent', ended: false });
  }

  /** The server no longer knows the session. */
  noteEnd(): void {
    const state = this.state();
    if (state.kind === 'present') this.#former = state.user;
    const hasEnded = state.kind === 'present' || (state.kind === 'absent' && state.ended);
    this.#note({ kind: 'absent', ended: hasEnded });
  }

  /** The server has someone else's session. */
  noteOther(): void {
    this.#note({ kind: 'replaced' });
  }

  /** Asks whether it is still the same one that is there. */
  async recheck(): Promise<void> {
    try {
      const { user } = await this.#api().call('getPresence');
      const known = this.user() ?? this.#former;
      if (user === null) {
        if (this.user() !== undefined) this.noteEnd();
      } else if (user.id !== known?.id) this.noteOther();
      else if (this.user() === undefined) this.#enter(user);
    } catch {
      // A failure says nothing about who is there.
    }
  }

  async updatePreferences(preferences: UserPreferencesUpdate): Promise<void> {
    this.#enter(await this.#api().call('updateOwnUser', { body: preferences }));
  }

  /** After something about the user changed elsewhere, such as the second factor. */
  async refresh(): Promise<void> {
    this.#enter(await this.#api().call('getOwnUser'));
  }

  #enter(user: UserView): void {
    this.#note({ kind: 'present', user });
  }
}
