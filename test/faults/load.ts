import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../simulator/random.ts';
import type { FaultFixture } from './fault-fixture.ts';
import { converse } from './media/converse.ts';
import type { MediaAccount } from './media/media-account.ts';
import { mediaRequest } from './media/media-request.ts';
import type { FaultAccount, Payers } from './seed-payers.ts';
import { steadyMood, moodyMood } from './upstream-moods.ts';

const CLIENTS = 14;
/** Clients that buy images, speech, transcripts and rankings, and clients in realtime sessions. */
const MEDIA_CLIENTS = 4;
const SPEAKERS = 3;
const UNSETTLE_EVERY_MS = 40;
/**
 * After a refusal or a connection that failed; otherwise clients would do little else than be
 * refused.
 */
const PAUSE_MS = 25;
const VANISHES = 0.12;
const STREAMS = 0.6;
const VANISH_AFTER_MS_MAX = 120;
const CREDIT_EVERY_MS = 300;
const CREDIT_NANO_USD = 2_000_000;
const NEWCOMER_EVERY_MS = 150;
/** Requests of the newest account, so that several of them find it unopened. */
const OF_NEWEST = 0.3;
/** A reply that takes longer than this is no longer waited for. */
const REPLY_MS_MAX = 15_000;

/**
 *   finished   the client got all of it: its bill must be in the book
 *   partial    the head came, the rest did not: may be billed
 *   refused    an error and nothing else: must not be billed
 */
export interface Reply {
  readonly fate: 'finished' | 'partial' | 'refused';
  readonly requestId: string;
  readonly accountId: string;
  readonly status: number;
  /** The tokens that the reply reports; undefined if it reports none, or impossible ones. */
  readonly tokens: { readonly input: number; readonly output: number } | undefined;
  /** The cost of what was made, for replies that are sold by another unit. */
  readonly costNanoUsd?: number | undefined;
}

/** Clients that ask without pause until they are stopped. */
export class Load {
  readonly replies: Reply[] = [];
  readonly #fixture: FaultFixture;
  readonly #random: Random;
  readonly #done: Promise<unknown>;
  #stopping = false;

  constructor(fixture: FaultFixture, random: Random) {
    this.#fixture = fixture;
    this.#random = random;
    fixture.payers.newcomers.length = 0;
    for (const upstream of [fixture.steady, fixture.moody]) upstream.reset();
    fixture.steady.behave('*', () => steadyMood(random));
    fixture.moody.behave('*', () => moodyMood(random));
    this.#done = Promise.all([
      ...Array.from({ length: CLIENTS }, () => this.#client(() => this.#askAny())),
      ...Array.from({ length: MEDIA_CLIENTS }, () => this.#client(() => this.#askMedia())),
      ...Array.from({ length: SPEAKERS }, () => this.#client(() => this.#speak())),
      this.#every(UNSETTLE_EVERY_MS, () => {
        fixture.media.unsettle(random);
        return Promise.resolve();
      }),
      this.#every(CREDIT_EVERY_MS, () => this.#credit(fixture.payers.poor)),
      // A credit that comes while the ledger opens the account must be counted once.
      this.#every(NEWCOMER_EVERY_MS, async () => this.#credit(await fixture.payers.seedNewcomer())),
    ]);
  }

  /** Resolves when every request under way has come to its end. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#done;
  }

  async #client(ask: () => Promise<Reply | undefined>): Promise<void> {
    while (!this.#stopping) {
      const reply = await ask().catch(() => undefined);
      if (reply !== undefined) this.replies.push(reply);
      if (reply === undefined || reply.fate === 'refused') await sleep(PAUSE_MS);
    }
  }

  #askAny(): Promise<Reply> {
    const { gateways, payers } = this.#fixture;
    return this.#ask(this.#random.pick(gateways).url, this.#payer(payers));
  }

  async #speak(): Promise<undefined> {
    const { gateways, media } = this.#fixture;
    const { speaker, spoken } = media;
    const random = this.#random;
    await converse(random.pick(gateways).url, speaker.key, { random, spoken });
  }

  #payer({ accounts, newcomers }: Payers): FaultAccount {
    const newest = this.#random.chance(OF_NEWEST) ? newcomers.at(-1) : undefined;
    return newest ?? this.#random.pick(accounts);
  }

  /** PostgreSQL may be down. */
  async #every(pauseMs: number, work: () => Promise<void>): Promise<void> {
    while (!this.#stopping) {
      await work().catch(() => undefined);
      await sleep(pauseMs);
    }
  }

  async #credit(account: FaultAccount): Promise<void> {
    const values = [randomUUID(), account.id, CREDIT_NANO_USD, 'top_up', 'fault run', 'test'];
    await this.#fixture.pool.query('select add_credit($1, $2, $3, $4, $5, $6)', values);
  }

  #leaving(): AbortSignal {
    const random = this.#random;
    return AbortSignal.timeout(
      random.chance(VANISHES) ? random.between(1, VANISH_AFTER_MS_MAX) : REPLY_MS_MAX,
    );
  }

  async #askMedia(): Promise<Reply> {
    const random = this.#random;
    const { gateways, media } = this.#fixture;
    const account: MediaAccount = random.pick(media.accounts);
    const { path, body, costOf } = mediaRequest(random, account);
    const response = await fetch(`${random.pick(gateways).url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.key}`,
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      },
      body,
      signal: this.#leaving(),
    });
    const head = headOf(response, account);
    const text = await response.text().catch(() => undefined);
    if (response.status !== 200) return { ...head, fate: 'refused', tokens: undefined };
    const costNanoUsd = text === undefined ? undefined : costOf(text);
    const fate = costNanoUsd === undefined ? 'partial' : 'finished';
    return { ...head, fate, tokens: undefined, costNanoUsd };
  }

  /** Undefined when not even a head came. */
  async #ask(url: string, account: FaultAccount): Promise<Reply> {
    const random = this.#random;
    const stream = random.chance(STREAMS);
    const body = {
      model: account.model,
      stream,
      ...(random.chance(0.5) ? { max_tokens: random.between(16, 128) } : {}),
      ...(stream ? { stream_options: { include_usage: true } } : {}),
      messages: [{ role: 'user', content: 'Hello' }],
    };
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: this.#leaving(),
    });
    const head = headOf(response, account);
    const text = await response.text().catch(() => undefined);
    if (response.status !== 200) return { ...head, fate: 'refused', tokens: undefined };
    const finished = text !== undefined && (!stream || isWholeStream(text));
    const fate = finished ? 'finished' : 'partial';
    return { ...head, fate, tokens: finished ? reportedTokens(text) : undefined };
  }
}

function headOf({ headers, status }: Response, { id }: FaultAccount) {
  return { requestId: headers.get('x-request-id') ?? '', accountId: id, status };
}

/** A stream that ended well: one that the upstream broke has an error event. */
function isWholeStream(text: string): boolean {
  return text.endsWith('data: [DONE]\n\n') && !text.includes('data: {"error"');
}

/** The last usage in a reply or a stream. */
function reportedTokens(text: string): Reply['tokens'] {
  const found = text.match(/"prompt_tokens":(\d+),"completion_tokens":(\d+)/g)?.at(-1);
  const [input, output] = found?.match(/\d+/g)?.map(Number) ?? [];
  return input === undefined || output === undefined ? undefined : { input, output };
}
