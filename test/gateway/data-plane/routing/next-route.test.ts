import { beforeEach, describe, expect, it } from 'vitest';
import type { Route } from '../../../../gateway/catalog/catalog.ts';
import type { ChannelEntry } from '../../../../gateway/catalog/snapshot.ts';
import { ChannelHealth } from '../../../../gateway/data-plane/routing/channel-health.ts';
import {
  hasOtherCredential,
  nextCredential,
  type Choice,
} from '../../../../gateway/data-plane/routing/next-credential.ts';
import { nextRoute } from '../../../../gateway/data-plane/routing/next-route.ts';

const MINUTE_MS = 60_000;
const DRAWS = 200;

let nowMs: number;
let health: ChannelHealth;

beforeEach(() => {
  nowMs = 1_000_000;
  health = new ChannelHealth(() => nowMs);
});

function choice(tried: readonly string[] = [], conversation: string | null = null): Choice {
  return { health, tried, conversation };
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

function route(entry: ChannelEntry, upstreamModel = 'm'): Route {
  return { channel: entry, upstreamModel };
}

function routes(...channels: ChannelEntry[]): Route[] {
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
    health.coolDown('b', MINUTE_MS);
    expect(draw(['a'])).toEqual(['c']);
    expect(draw(['a', 'c'])).toEqual([undefined]);
  });

  it('is not of a channel whose credentials were all tried or rest', () => {
    const all = routes(channel('a', { credentials: ['one', 'two'] }));
    const next = (tried: string[]) => nextRoute(all, choice(tried))?.channel.id;
    expect(next(['one'])).toBe('a');
    expect(next(['one', 'two'])).toBeUndefined();
    health.coolDown('two', MINUTE_MS);
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
    health.limit('a', 'm', MINUTE_MS);
    expect([next('m'), next('n')]).toEqual(['b', 'a']);
    nowMs += MINUTE_MS;
    expect(next('m')).toBe('a');
  });

  it('rests with its credential alone, which goes on with the others', () => {
    const two = channel('a', { credentials: ['one', 'two'] });
    health.limit('one', 'm', MINUTE_MS);
    const draw = (model: string) => drawn(() => nextCredential(route(two, model), choice()));
    expect(draw('m')).toEqual(['two']);
    expect(draw('n')).toEqual(['one', 'two']);
    health.limit('two', 'm', MINUTE_MS);
    expect(nextRoute([route(two, 'm')], choice())).toBeUndefined();
    expect(nextRoute([route(two, 'n')], choice())?.channel).toBe(two);
  });
});

describe('a silent channel', () => {
  it('is the last choice, whatever its priority, until it is heard', () => {
    const all = routes(channel('a', { priority: 2 }), channel('b', { priority: 1 }));
    const next = (tried: string[]) => nextRoute(all, choice(tried))?.channel.id;
    for (let attempts = 0; attempts < 5; attempts += 1) health.started('a', MINUTE_MS);
    expect(next([])).toBe('a');
    nowMs += MINUTE_MS;
    expect([next([]), next(['b'])]).toEqual(['b', 'a']);
    health.onHeaders('a');
    expect(next([])).toBe('a');
  });
});

describe('the next credential', () => {
  const three = route(channel('a', { credentials: ['one', 'two', 'three'] }));

  it('is any that neither rests nor was tried', () => {
    const draw = (tried: string[]) => drawn(() => nextCredential(three, choice(tried)));
    expect(draw([])).toEqual(['one', 'three', 'two']);
    expect(draw(['one'])).toEqual(['three', 'two']);
    health.coolDown('two', MINUTE_MS);
    expect(draw(['one'])).toEqual(['three']);
    expect(draw(['one', 'three'])).toEqual([null]);
  });

  it('is the only one, which rests with its channel alone', () => {
    const only = route(channel('a'));
    health.coolDown('a-key', MINUTE_MS);
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
