import { createHash } from 'node:crypto';
import type { CatalogSnapshot, ChannelEntry } from '../../catalog/snapshot.ts';
import { causeOf } from '../../platform/errors/cause-of.ts';
import type { JobLog } from '../../platform/telemetry/periodic-jobs.ts';
import type { Mint, MintFailure, TokenReply, TokenRequest } from '../../providers/minting.ts';
import { providerOf } from '../../providers/registry.ts';
import type { TokenServerAccess } from './ask-token-server.ts';
import { referenceTo, type MintedEntry } from './minted-credentials.ts';

/** Tests have their own. */
export interface MinterClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Returns how to cancel it. */
  after(delayMs: number, run: () => void): () => void;
}

export interface CredentialMinterOptions {
  readonly ask: (
    request: TokenRequest,
    access: Pick<TokenServerAccess, 'allowPrivate' | 'proxy'>,
  ) => Promise<TokenReply | MintFailure>;
  /** To every HTTP thread. */
  readonly publish: (entries: readonly MintedEntry[]) => void;
  readonly logger: JobLog;
  readonly clock?: MinterClock;
}

/** Where a credential is used, as far as minting depends on it. */
export type MintingPlace = Pick<ChannelEntry, 'kind' | 'baseUrl' | 'allowPrivate' | 'proxy'>;

/** One credential of the catalog. A secret that is valid stays in use until the next is there. */
interface Entry {
  readonly reference: string;
  readonly place: MintingPlace;
  readonly mint: Mint;
  channel: string;
  secret: string | null;
  failure: string | null;
  failuresInRow: number;
  underWay: Promise<void> | undefined;
  /** The time at which a 401 last brought another secret. */
  replacedAtMs: number;
  cancelRefresh: () => void;
  cancelExpiry: () => void;
}

/** The state of a process's minting, for metrics and the operator. */
export interface MinterStatus {
  readonly minted: number;
  readonly failed: number;
  /** Credentials whose last exchange failed. */
  readonly failing: readonly {
    readonly channel: string;
    readonly failure: string;
    /** Requests are served with the former secret. */
    readonly isServed: boolean;
  }[];
}

/** The share of a secret's life after which it is renewed. */
const REFRESH_AT = 0.75;
const RETRY_MS_MIN = 5_000;
const RETRY_MS_MAX = 60_000;
/** A secret that is used to its last second may be refused on its way. */
const EXPIRY_MARGIN_MS = 10_000;
/** An upstream that answers 401 to everything must not make us ask for secrets all the time. */
const REPLACE_MS_MIN = 60_000;

const NOTHING = (): void => undefined;

const SYSTEM_CLOCK: MinterClock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Mints what the catalog's credentials are exchanged for, renews it in time, and hands it to the
 * HTTP threads, one secret per credential. It runs in the main thread; the threads never see a
 * credential that is exchanged.
 */
export class CredentialMinter {
  readonly #options: CredentialMinterOptions;
  readonly #clock: MinterClock;
  readonly #entries = new Map<string, Entry>();
  #minted = 0;
  #failed = 0;

  constructor(options: CredentialMinterOptions) {
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
  }

  /**
   * Returns the snapshot with references in place of the credentials that are exchanged, begins to
   * mint for new ones, and forgets those that are gone.
   */
  follow(snapshot: CatalogSnapshot): CatalogSnapshot {
    const inUse = new Set<string>();
    const channels = snapshot.channels.map((channel) => {
      const { minting } = providerOf(channel.kind);
      if (minting === undefined) return channel;
      const credentials = channel.credentials.map((credential) => {
        const mint = minting.mintOf(credential, channel.baseUrl);
        if (mint === undefined) return credential;
        const entry = this.#enter(channel, credential, mint);
        inUse.add(entry.reference);
        return entry.reference;
      });
      return { ...channel, credentials };
    });
    for (const entry of this.#entries.values()) {
      if (!inUse.has(entry.reference)) this.#drop(entry);
    }
    return { ...snapshot, channels };
  }

  /** For threads that start. */
  entries(): readonly MintedEntry[] {
    return [...this.#entries.values()].map(publicPart);
  }

  /** An upstream has answered 401 to a secret: brings another one, or says that there is none. */
  refused(reference: string, secret: string): void {
    const entry = this.#entries.get(reference);
    if (entry === undefined) return;
    // Its end is published, and many requests may have met the same 401.
    if (entry.underWay !== undefined) return;
    const isLatest = entry.secret === secret;
    const isDue = this.#clock.now() - entry.replacedAtMs >= REPLACE_MS_MIN;
    if (!isLatest || !isDue) {
      this.#options.publish([publicPart(entry)]);
      return;
    }
    entry.replacedAtMs = this.#clock.now();
    void this.#renew(entry);
  }

  /** Returns what is sent for a credential, in the catalog or not, for tests of channels. */
  async secretFor(place: MintingPlace, credential: string): Promise<string | MintFailure> {
    const mint = providerOf(place.kind).minting?.mintOf(credential, place.baseUrl);
    if (mint === undefined) return credential;
    if ('failed' in mint) return mint;
    const known = this.#entries.get(referenceOf(place, credential, mint));
    if (known?.secret != null) return known.secret;
    const minted = await this.#exchange(mint, place);
    return 'failed' in minted ? minted : minted.secret;
  }

  /**
   * Returns another secret than one that an upstream has refused, for tests of channels; undefined
   * when there is none. A secret that was minted for the test alone is as new as can be.
   */
  async replace(
    place: MintingPlace,
    credential: string,
    refused: string,
  ): Promise<string | undefined> {
    const mint = providerOf(place.kind).minting?.mintOf(credential, place.baseUrl);
    if (mint === undefined) return undefined;
    const entry = this.#entries.get(referenceOf(place, credential, mint));
    if (entry === undefined) return undefined;
    this.refused(entry.reference, refused);
    await entry.underWay;
    return entry.secret === null || entry.secret === refused ? undefined : entry.secret;
  }

  status(): MinterStatus {
    const failing = [...this.#entries.values()].flatMap(({ channel, failure, secret }) =>
      failure === null ? [] : [{ channel, failure, isServed: secret !== null }],
    );
    return { minted: this.#minted, failed: this.#failed, failing };
  }

  stop(): void {
    for (const entry of this.#entries.values()) this.#drop(entry);
  }

  #enter(channel: ChannelEntry, credential: string, mint: Mint | MintFailure): Entry {
    const reference = referenceOf(channel, credential, mint);
    const known = this.#entries.get(reference);
    if (known !== undefined) {
      known.channel = channel.name;
      return known;
    }
    const { kind, baseUrl, allowPrivate, proxy } = channel;
    const entry: Entry = {
      reference,
      place: { kind, baseUrl, allowPrivate, proxy },
      mint: 'failed' in mint ? () => Promise.resolve(mint) : mint,
      channel: channel.name,
      secret: null,
      failure: null,
      failuresInRow: 0,
      underWay: undefined,
      replacedAtMs: -Infinity,
      cancelRefresh: NOTHING,
      cancelExpiry: NOTHING,
    };
    this.#entries.set(reference, entry);
    void this.#renew(entry);
    return entry;
  }

  #drop(entry: Entry): void {
    entry.cancelRefresh();
    entry.cancelExpiry();
    this.#entries.delete(entry.reference);
  }

  /** One exchange at a time. */
  #renew(entry: Entry): Promise<void> {
    entry.underWay ??= this.#renewNow(entry).finally(() => {
      entry.underWay = undefined;
    });
    return entry.underWay;
  }

  async #renewNow(entry: Entry): Promise<void> {
    entry.cancelRefresh();
    const minted = await this.#exchange(entry.mint, entry.place);
    if (this.#entries.get(entry.reference) !== entry) return;
    if ('failed' in minted) {
      this.#noteFailure(entry, minted.failed);
      return;
    }
    const { secret, lifetimeMs } = minted;
    if (entry.failuresInRow > 0) {
      const { channel } = entry;
      this.#options.logger.info({ channel }, 'The credential of a channel is exchanged again');
    }
    Object.assign(entry, { secret, failure: null, failuresInRow: 0 });
    entry.cancelExpiry();
    const validMs = Math.max(lifetimeMs - EXPIRY_MARGIN_MS, lifetimeMs * REFRESH_AT);
    entry.cancelExpiry = this.#clock.after(validMs, () => this.#expire(entry));
    this.#renewAfter(entry, lifetimeMs * REFRESH_AT);
    this.#options.publish([publicPart(entry)]);
  }

  #noteFailure(entry: Entry, failure: string): void {
    const { channel, secret } = entry;
    const isNews = entry.failure !== failure;
    entry.failure = failure;
    const waitMs = Math.min(RETRY_MS_MIN * 2 ** entry.failuresInRow, RETRY_MS_MAX);
    entry.failuresInRow += 1;
    if (isNews) {
      this.#options.logger.error(
        { channel, failure, isServed: secret !== null },
        secret === null
          ? 'The credential of a channel cannot be exchanged for a token; the channel is not used with it'
          : 'The token of a channel cannot be renewed; requests are served with the former one',
      );
    }
    this.#renewAfter(entry, waitMs);
    // Requests that wait for another secret go on.
    this.#options.publish([publicPart(entry)]);
  }

  #renewAfter(entry: Entry, delayMs: number): void {
    entry.cancelRefresh = this.#clock.after(delayMs, () => void this.#renew(entry));
  }

  #expire(entry: Entry): void {
    entry.secret = null;
    this.#options.publish([publicPart(entry)]);
  }

  async #exchange(mint: Mint, place: MintingPlace): ReturnType<Mint> {
    const minted = await mint({
      ask: (request) => this.#options.ask(request, place),
      nowMs: this.#clock.now(),
    }).catch((error: unknown): MintFailure => ({ failed: causeOf(error) }));
    if ('failed' in minted) this.#failed += 1;
    else this.#minted += 1;
    return minted;
  }
}

/**
 * Channels that may reach the same have one secret for one credential, whatever their base address,
 * unless that is what the exchange fails for.
 */
function referenceOf(place: MintingPlace, credential: string, mint: Mint | MintFailure): string {
  const { kind, allowPrivate, proxy } = place;
  const at = 'failed' in mint ? place.baseUrl : '';
  const text = JSON.stringify([kind, allowPrivate, proxy, credential, at]);
  return referenceTo(createHash('sha256').update(text).digest('base64url'));
}

function publicPart({ reference, secret, failure }: Entry): MintedEntry {
  return { reference, secret, failure };
}
