import type { UpstreamFailure } from '../../platform/errors/upstream-failure.ts';

/** The secret that was minted for one credential; it crosses threads. */
export interface MintedEntry {
  /** Replaces the credential in the catalog of the HTTP threads. */
  readonly reference: string;
  /** Null while there is none. */
  readonly secret: string | null;
  /** The reason for a missing secret; null while the first is being minted. */
  readonly failure: string | null;
}

/** No credential that is sent as it is has a space: see `CredentialSecret`. */
const PREFIX = 'minted ';

export function referenceTo(digest: string): string {
  return PREFIX + digest;
}

function isReference(credential: string): boolean {
  return credential.startsWith(PREFIX);
}

export interface MintedCredentialsOptions {
  /** Asks the main thread for another secret: the upstream has answered 401 to this one. */
  readonly reportRefused: (reference: string, secret: string) => void;
  /** A request waits this long for a secret that is being minted. */
  readonly waitMsMax?: number;
}

const WAIT_MS_MAX = 5_000;

/**
 * The minted credentials of one HTTP thread; the main thread mints them. A request never mints: it
 * uses the secret that is there, and waits only for the first one, and for the one after a 401.
 */
export class MintedCredentials {
  readonly #options: MintedCredentialsOptions;
  readonly #entries = new Map<string, MintedEntry>();
  /** Callbacks of waiting requests, by reference. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(options: MintedCredentialsOptions) {
    this.#options = options;
  }

  /** Takes over what the main thread has minted. */
  apply(entries: readonly MintedEntry[]): void {
    for (const entry of entries) {
      this.#entries.set(entry.reference, entry);
      const waiting = this.#waiting.get(entry.reference);
      this.#waiting.delete(entry.reference);
      for (const proceed of waiting ?? []) proceed();
    }
  }

  /** Forgets all but these: the catalog has no others any more. */
  keepOnly(credentials: ReadonlySet<string>): void {
    for (const reference of this.#entries.keys()) {
      if (!credentials.has(reference)) this.#entries.delete(reference);
    }
  }

  /** Returns what is sent for a credential of the catalog: at once wherever it is known. */
  secretOf(
    credential: string | null,
  ): string | null | UpstreamFailure | Promise<string | UpstreamFailure> {
    if (credential === null || !isReference(credential)) return credential;
    return this.#known(credential) ?? this.#first(credential);
  }

  /**
   * Returns another secret than the one that the upstream has refused; undefined when there is none
   * within the time.
   */
  async replace(credential: string, refused: string): Promise<string | undefined> {
    if (this.#entries.get(credential)?.secret === refused) {
      const changed = this.#change(credential);
      this.#options.reportRefused(credential, refused);
      await changed;
    }
    const secret = this.#entries.get(credential)?.secret ?? undefined;
    return secret === refused ? undefined : secret;
  }

  #known(reference: string): string | UpstreamFailure | undefined {
    const entry = this.#entries.get(reference);
    if (entry?.secret != null) return entry.secret;
    return entry?.failure == null ? undefined : unusable(entry.failure);
  }

  async #first(reference: string): Promise<string | UpstreamFailure> {
    await this.#change(reference);
    return this.#known(reference) ?? unusable('It takes longer than a request can wait.');
  }

  /** Resolves with the next entry, or when the time is over. */
  #change(reference: string): Promise<void> {
    const { waitMsMax = WAIT_MS_MAX } = this.#options;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const waiting = this.#waiting.get(reference) ?? new Set();
    this.#waiting.set(reference, waiting);
    const proceed = (): void => {
      clearTimeout(timer);
      waiting.delete(proceed);
      resolve(undefined);
    };
    const timer = setTimeout(proceed, waitMsMax);
    waiting.add(proceed);
    return promise;
  }
}

function unusable(reason: string): UpstreamFailure {
  return {
    failed: 'credential_unusable',
    detail: `There is no access token for a credential of this channel. ${reason}`,
  };
}
