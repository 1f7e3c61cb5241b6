import { beforeEach, describe, expect, it } from 'vitest';
import type { ChannelEntry } from '../../../../gateway/catalog/snapshot.ts';
import {
  ChannelHealth,
  type BegunAttempt,
} from '../../../../gateway/data-plane/routing/health/channel-health.ts';
import {
  hasOtherCredential,
  nextCredential,
  type Choice,
} from '../../../../gateway/data-plane/routing/next-credential.ts';
import { nextRoute, type RouteChoice } from '../../../../gateway/data-plane/routing/next-route.ts';

const ACCOUNT = 'account';
const MINUTE_MS = 60_000;
const DRAWS = 200;

let nowMs: number;
let health: ChannelHealth;

beforeEach(() => {
  nowMs = 1_000_000;
  health = new ChannelHealth(() => nowMs);
});

function choice(tried: readonly string[] = [], conversation: string | null = null): Choice {
  return { health, accountId: ACCOUNT, tried, conversation };
}

function channel(id: string, change: Partial<ChannelEntry> = {}): ChannelEntry {
  return {
    id,
    name: id,
    kind: 'openai',
    baseUrl: 'https://api.example/v1',
    credentials: [`${id}-key`],
    priority: 0,
    weight: 1,
    concurrencyMax: null,
    groupIds: [],
    models: [],
    allowPrivate: false,
    outputLimitField: null,
    omittedFields: [],
    fieldPolicy: 'known',
    storesResponses: false,
    proxy: null,
    protocols: null,
    timeouts: { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 },
    ...change,
  };
}

function route(entry: ChannelEntry, upstreamModel = 'm'): RouteChoice {
  return { channel: entry, upstreamModel, healthKey: `${entry.id} ${upstreamModel}` };
}

function begin(to: RouteChoice, credential: string | null = null): BegunAttempt {
  return health.started(to, { credential, accountId: ACCOUNT });
}

/** The upstream refuses a credential for a minute. */
function refuse(to: RouteChoice, credential: string): void {
  health.credentialRefused(begin(to, credential), MINUTE_MS);
}

function routes(...channels: ChannelEntry[]): RouteChoice[] {
  return channels.map((entry) => route(entry));
}

/** All that come up in many draws, sorted. */
function drawn(draw: () => string | null | undefined): unknown[] {
  return [...new Set(Array.from({ length: DRAWS }, draw))].toSorted();
}

describe('the next route', () => {
  it('is one of the highest priority, and of the next when all of it were tried or rest', () => {
    const all = routes(
      channel('a', { priority: 2 }),
      channel('b', { priority: 2 }),
      channel('c', { priority: 1 }),
    );
    const draw = (tried: string[]) => drawn(() => nextRoute(all, choice(tried))?.channel.id);
    expect(draw([])).toEqual(['a', 'b']);
    expect(draw(['a'])).toEqual(['b']);
    for (const one of all.filter(({ channel: { id } }) => id === 'b')) {
      health.limited(begin(one), MINUTE_MS);
    }
    expect(draw(['a'])).toEqual(['c']);
    expect(draw(['a', 'c'])).toEqual([undefined]);
  });

  it('is not of a channel whose credentials were all tried or rest', () => {
    const two = route(channel('a', { credentials: ['one', 'two'] }));
    const all = [two];
    const next = (tried: string[]) => nextRoute(all, choice(tried))?.channel.id;
    expect(next(['one'])).toBe('a');
    expect(next(['one', 'two'])).toBeUndefined();
    refuse(two, 'two');
    expect(next(['one'])).toBeUndefined();
    nowMs += MINUTE_MS;
    expect(next(['one'])).toBe('a');
  });
});

describe('a limited model', () => {
  it('rests on its channel alone, and the channel goes on with the others', () => {
    const [a, b] = [channel('a', { priority: 1 }), channel('b')];
    const next = (model: string) =>
      nextRoute([route(a, model), route(b, model)], choice())?.channel.id;
    health.limited(begin(route(a)), MINUTE_MS);
    expect([next('m'), next('n')]).toEqual(['b', 'a']);
    nowMs += MINUTE_MS;
    expect(next('m')).toBe('a');
  });

  it('rests with its credential alone, which goes on with the others', () => {
    const two = channel('a', { credentials: ['one', 'two'] });
    health.limited(begin(route(two), 'one'), MINUTE_MS);
    const draw = (model: string) => drawn(() => nextCredential(route(two, model), choice()));
    expect(draw('m')).toEqual(['two']);
    expect(draw('n')).toEqual(['one', 'two']);
    health.limited(begin(route(two), 'two'), MINUTE_MS);
    expect(nextRoute([route(two, 'm')], choice())).toBeUndefined();
    expect(nextRoute([route(two, 'n')], choice())?.channel).toBe(two);
  });
});

describe('a silent channel', () => {
  it('is the last choice, whatever its priority, until it is heard', () => {
    const timeouts = { connectMs: 1, firstByteMs: MINUTE_MS, idleMs: 1, totalMs: 1 };
    const first = route(channel('a', { priority: 2, timeouts }));
    const all = [first, route(channel('b', { priority: 1 }))];
    const next = (tried: string[]) => nextRoute(all, choice(tried))?.channel.id;
    const attempts = Array.from({ length: 5 }, () => begin(first));
    expect(next([])).toBe('a');
    nowMs += MINUTE_MS;
    expect([next([]), next(['b'])]).toEqual(['b', 'a']);
    for (const attempt of attempts.slice(-1)) health.onHeaders(attempt);
    expect(next([])).toBe('a');
  });
});

describe('the next credential', () => {
  const three = route(channel('a', { credentials: ['one', 'two', 'three'] }));

  it('is any that neither rests nor was tried', () => {
    const draw = (tried: string[]) => drawn(() => nextCredential(three, choice(tried)));
    expect(draw([])).toEqual(['one', 'three', 'two']);
    expect(draw(['one'])).toEqual(['three', 'two']);
    refuse(three, 'two');
    expect(draw(['one'])).toEqual(['three']);
    expect(draw(['one', 'three'])).toEqual([null]);
  });

  it('is the only one, which rests with its channel alone', () => {
    const only = route(channel('a'));
    refuse(only, 'a-key');
    expect(nextCredential(only, choice())).toBe('a-key');
    expect(hasOtherCredential(only, choice())).toBe(false);
    expect(nextCredential(route(channel('b', { credentials: [] })), choice())).toBeNull();
  });
});

describe('a conversation', () => {
  const conversations = Array.from({ length: 400 }, (_, index) => `session-${String(index)}`);
  const credentials = ['first', 'second', 'third'];

  it('stays at the credential that has served it, and moves only while that is out', () => {
    const three = route(channel('a', { credentials }));
    for (const conversation of conversations) {
      const own = nextCredential(three, choice([], conversation));
      expect(nextCredential(three, choice([], conversation))).toBe(own);
      const other = nextCredential(three, choice([String(own)], conversation));
      expect(other).not.toBe(own);
      expect(nextCredential(three, choice([], conversation))).toBe(own);
    }
  });

  it('goes to channels by their weights', () => {
    const all = [route(channel('a', { weight: 3 })), route(channel('b', { weight: 1 }))];
    const first = conversations.filter(
      (conversation) => nextRoute(all, choice([], conversation))?.channel.id === 'a',
    );
    expect(first.length / conversations.length).toBeGreaterThan(0.6);
    expect(first.length / conversations.length).toBeLessThan(0.9);
  });
});
