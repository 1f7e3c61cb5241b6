import { computed, type Signal } from '@angular/core';
import type { SessionCreate } from '@weir/shared/people/sessions';
import type { RouteId } from '@weir/shared/api/admin-routes';
import { mayCall } from '@weir/shared/api/may-call';
import type { MembershipView } from '@weir/shared/people/members';
import { permits, type Permission, type Standing } from '@weir/shared/api/permissions';
import type { UserPreferencesUpdate, UserView } from '@weir/shared/people/users';
import type { Failure } from '../api/api-failure';
import type { ApiPort } from '../api/call-input';
import { Loadable } from '../state/loadable';
import { pauseFor, persist, type Pause } from '../state/persist';

/**
 * The session.
 *
 *   unknown ──restore──► absent ──logIn──► present
 *      └───────restore───────────────────────┘ │
 *                         ▲──logOut, noteEnd───┤
 *                      replaced ◄──noteOther───┘
 *
 * `unknown` lasts until the server has said who is there: guards wait for it, so that a reload of a
 * deep link never shows the login page, not even while the server fails. The session itself is an
 * HttpOnly cookie that no script can read, and all tabs share it: `replaced` is a page under which
 * another user has logged in, or another account was chosen. It has to be loaded again, so that
 * nothing of the former is left, replies on their way included.
 */
export type SessionState = { readonly kind: 'unknown' } | KnownState;

type KnownState =
  | { readonly kind: 'absent'; readonly ended: boolean }
  | { readonly kind: 'present'; readonly user: UserView; readonly accounts?: Accounts }
  /** `to` is the page to load; without it, the present one. */
  | { readonly kind: 'replaced'; readonly to?: string };

/** The accounts of the user, and the one that the session acts in. */
interface Accounts {
  readonly membership: MembershipView | null;
  readonly memberships: readonly MembershipView[];
}

const UNKNOWN: SessionState = { kind: 'unknown' };

export class Session {
  readonly #api: () => ApiPort;
  readonly #pause: Pause;
  readonly #known = new Loadable<KnownState>(() => this.#ask());
  readonly #settled = Promise.withResolvers<undefined>();
  #restoring: Promise<unknown> | undefined;

  readonly state: Signal<SessionState> = computed(() => this.#known.value() ?? UNKNOWN);
  /** The failure because of which the session is unknown. */
  readonly failure = computed((): Failure | undefined =>
    this.#known.value() === undefined ? this.#known.failure() : undefined,
  );
  readonly user = computed(() => {
    const state = this.state();
    return state.kind === 'present' ? state.user : undefined;
  });
  readonly isAdmin = computed(() => this.user()?.role === 'admin');
  readonly role = computed(() => this.user()?.role);
  readonly #accounts = computed(() => {
    const state = this.state();
    return state.kind === 'present' ? state.accounts : undefined;
  });
  /** The membership of the account that the page is about. */
  readonly membership = computed(() => this.#accounts()?.membership ?? undefined);
  readonly memberships = computed(() => this.#accounts()?.memberships ?? []);
  readonly standing = computed((): Standing | undefined => {
    const role = this.role();
    if (role === undefined) return undefined;
    return { role, memberRole: this.membership()?.role ?? 'owner', tokenRole: null };
  });

  #former: UserView | undefined;
  #formerAccountId: string | undefined;

  /** The user whose session ended under a page that is still there. */
  get former(): UserView | undefined {
    return this.#former;
  }

  /** `api` is a function because the client's interceptors need the session in turn. */
  constructor(api: () => ApiPort, pause = pauseFor) {
    this.#api = api;
    this.#pause = pause;
  }

  /** True when the user's roles permit a route: what would be refused is not offered. */
  may(routeId: RouteId): boolean {
    const standing = this.standing();
    return standing !== undefined && mayCall(standing, routeId);
  }

  permits(permission: Permission): boolean {
    const standing = this.standing();
    return standing !== undefined && permits(standing, permission);
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

  /** Only the server can say that no one is logged in: a failure says nothing. */
  async #ask(): Promise<KnownState> {
    const { user, ...accounts } = await this.#api().call('getPresence');
    if (user === null) return { kind: 'absent', ended: false };
    return { kind: 'present', user, ...accountsOf(accounts) };
  }

  async logIn(credentials: SessionCreate): Promise<UserView> {
    const { user, ...accounts } = await this.#api().call('logIn', { body: credentials });
    this.#enter(user, accounts);
    return user;
  }

  /**
   * Logs in over a page that is still there. For another user than the page's it is `replaced`:
   * what the former one has typed is not for them.
   */
  async logInAgain(credentials: SessionCreate): Promise<UserView> {
    const { user, ...accounts } = await this.#api().call('logIn', { body: credentials });
    const isSame = user.id === this.#former?.id && !(await this.#actsElsewhere(accounts));
    if (isSame) this.#enter(user, accounts);
    else this.noteOther();
    return user;
  }

  async logOut(): Promise<void> {
    await this.#api().call('logOut');
    this.#former = undefined;
    this.#note({ kind: 'absent', ended: false });
  }

  /**
   * A new session acts in the user's own account. For a page of another one it goes back there;
   * true when it cannot.
   */
  async #actsElsewhere({ membership }: Accounts): Promise<boolean> {
    const accountId = this.#formerAccountId;
    if (accountId === undefined || membership?.accountId === accountId) return false;
    try {
      await this.#api().call('switchAccount', { body: { accountId } });
      return false;
    } catch {
      return true;
    }
  }

  /** Acts in another account from now on. The page is loaded again: see `replaced`. */
  async switchTo(accountId: string, to?: string): Promise<void> {
    await this.#api().call('switchAccount', { body: { accountId } });
    this.beginIn(to);
  }

  /** The session acts in another account by now. */
  beginIn(to = '/dashboard'): void {
    this.#note({ kind: 'replaced', to });
  }

  /** The server no longer knows the session. */
  noteEnd(): void {
    const state = this.state();
    if (state.kind === 'present') {
      this.#former = state.user;
      this.#formerAccountId = state.accounts?.membership?.accountId;
    }
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
      const { user, ...accounts } = await this.#api().call('getPresence');
      const known = this.user() ?? this.#former;
      const knownAccountId = this.membership()?.accountId ?? this.#formerAccountId;
      const isElsewhere =
        knownAccountId !== undefined && accounts.membership?.accountId !== knownAccountId;
      if (user === null) {
        if (this.user() !== undefined) this.noteEnd();
      } else if (user.id !== known?.id || isElsewhere) this.noteOther();
      else if (this.user() === undefined) this.#enter(user, accounts);
    } catch {
      // A failure says nothing about who is there.
    }
  }

  async updatePreferences(preferences: UserPreferencesUpdate): Promise<void> {
    this.#enter(await this.#api().call('updateOwnUser', { body: preferences }), this.#accounts());
  }

  /** After something about the user changed elsewhere, such as the second factor. */
  async refresh(): Promise<void> {
    this.#enter(await this.#api().call('getOwnUser'), this.#accounts());
  }

  #enter(user: UserView, accounts: Accounts | undefined): void {
    this.#note({ kind: 'present', user, ...accountsOf(accounts) });
  }
}

function accountsOf(accounts: Partial<Accounts> | undefined): { readonly accounts?: Accounts } {
  const { membership = null, memberships = [] } = accounts ?? {};
  return membership === null ? {} : { accounts: { membership, memberships } };
}
