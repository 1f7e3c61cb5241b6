import { describe, expect, test, vi } from 'vitest';
import { ApiFailure } from '../core/api/api-failure';
import { FakeApi } from '../../testing/fake-api';
import { GROUP_ID, key, model, OTHER_GROUP_ID, pricing, record } from '../../testing/views';
import { FreshKeys } from '../keys/fresh-keys';
import { TemporaryKeys } from '../keys/temporary-keys';
import { ChatSettings } from './chat-settings';
import { PlaygroundKey } from './playground-key';
import { ReplyBill } from './reply-bill';
import { roughTokens, runningCost } from './running-cost';

const PRICES = model('any').prices;

describe('The cost while a reply runs', () => {
  test.each([
    [{ input: 0, output: 0 }, '0'],
    [{ input: 1, output: 0 }, '0.000002'],
    [{ input: 7, output: 79 }, '0.000804'],
    [{ input: 1_000_000, output: 1_000_000 }, '12'],
  ])('of %j is %s USD', (tokens, usd) => {
    expect(runningCost(tokens, PRICES)).toBe(usd);
  });

  test('is rounded up to nanodollars once, and a call has its price', () => {
    const prices = { ...PRICES, inputUsd: '0.000000001', outputUsd: '0', perCallUsd: '0.01' };
    expect(runningCost({ input: 1, output: 0 }, prices)).toBe('0.010000001');
  });

  test('guesses tokens upwards', () => {
    expect([roughTokens(''), roughTokens('a'), roughTokens('12345')]).toEqual([0, 1, 2]);
  });
});

describe('The key of the playground', () => {
  const HOUR_MS = 3_600_000;

  function keyOf(api: FakeApi): PlaygroundKey {
    return new PlaygroundKey(api, new FreshKeys(), new TemporaryKeys(api));
  }

  async function keyOver(nowMs: () => number) {
    let made = 0;
    const api = new FakeApi({
      listKeys: () => ({
        data: [key, { ...key, id: 'other', groupId: OTHER_GROUP_ID, modelAllowlist: ['b'] }],
        nextCursor: null,
        total: null,
      }),
      getPricing: () =>
        pricing(model('a'), model('b', [GROUP_ID, OTHER_GROUP_ID]), model('c', [OTHER_GROUP_ID])),
      createTemporaryKeyValue: () => ({
        value: `temporary-${String((made += 1))}`,
        worksUntil: new Date(nowMs() + HOUR_MS).toISOString(),
      }),
    });
    const fresh = new FreshKeys();
    const temporary = new TemporaryKeys(api, nowMs);
    const playground = new PlaygroundKey(api, fresh, temporary);
    await playground.load(undefined);
    return { api, fresh, temporary, playground };
  }

  test('offers the models that the chosen key may use', async () => {
    const { playground } = await keyOver(() => 0);
    const ids = (): string[] => playground.models().map(({ publicId }) => publicId);
    expect(ids()).toEqual(['a', 'b']);
    playground.keyId.set('other');
    expect(ids()).toEqual(['b']);
  });

  test('offers no model before the keys are there, though the prices are: it would be sent without a key', async () => {
    const keys = Promise.withResolvers<typeof key>();
    const api = new FakeApi({
      getPricing: () => pricing(model('a')),
      listKeys: async () => ({ data: [await keys.promise], nextCursor: null, total: null }),
    });
    const playground = keyOf(api);
    const loaded = playground.load(undefined);
    await vi.waitFor(() => {
      expect(playground.pricing.value()?.models).toHaveLength(1);
    });
    expect(playground.models()).toEqual([]);
    expect(playground.given()).toBe(false);
    keys.resolve(key);
    await loaded;
    expect(playground.models()).toHaveLength(1);
    expect(playground.given()).toBe(true);
  });

  test('may be typed in when the own ones cannot be had', async () => {
    const api = new FakeApi({
      getPricing: () => pricing(model('a')),
      listKeys: () => {
        throw new ApiFailure({ code: 'unreachable' });
      },
    });
    const playground = keyOf(api);
    await playground.load(undefined);
    expect([playground.models().length, playground.given()]).toEqual([1, false]);
    playground.typed.set('sk-typed');
    expect(playground.given()).toBe(true);
  });

  test('begins with the key of the link, or else the first', async () => {
    const { playground } = await keyOver(() => 0);
    expect(playground.keyId()).toBe(key.id);
    await playground.load('other');
    expect(playground.keyId()).toBe('other');
  });

  test('is none when that of the link cannot be used: nobody pays with another one unawares', async () => {
    const { playground } = await keyOver(() => 0);
    expect(playground.refused()).toBe(false);
    await playground.load('no-such-key');
    expect([playground.given(), playground.refused()]).toEqual([false, true]);
    playground.keyId.set(key.id);
    expect([playground.given(), playground.refused()]).toEqual([true, false]);
  });

  test('is one of all that work, however many there are', async () => {
    const expired = { ...key, id: 'expired', expiresAt: '2020-01-01T00:00:00.000Z' };
    const api = new FakeApi({
      getPricing: () => pricing(),
      listKeys: ({ query }) =>
        query.cursor === undefined
          ? { data: [expired, key], nextCursor: 'more', total: 2 }
          : {
              data: [{ ...key, id: 'last', expiresAt: '2100-01-01T00:00:00.000Z' }],
              nextCursor: null,
              total: null,
            },
    });
    const playground = keyOf(api);
    await playground.load('last');
    expect(playground.keys.value()?.map(({ id }) => id)).toEqual([key.id, 'last']);
    expect(playground.keyId()).toBe('last');
  });

  test('stays as it was chosen when the prices come late, and when they are tried again', async () => {
    const prices = Promise.withResolvers<ReturnType<typeof pricing>>();
    const { api, playground } = await keyOver(() => 0);
    api.answer({ getPricing: () => prices.promise });
    const late = keyOf(api);
    const loaded = late.load(key.id);
    await vi.waitFor(() => {
      expect(late.keyId()).toBe(key.id);
    });
    late.keyId.set('other');
    prices.resolve(pricing());
    await loaded;
    expect(late.keyId()).toBe('other');
    await late.load(key.id);
    expect(late.keyId()).toBe('other');
    await playground.load('other');
    await playground.load(undefined);
    expect(playground.keyId()).toBe('other');
  });

  test('costs what its group costs', async () => {
    const { playground } = await keyOver(() => 0);
    expect(playground.pricesOf('a')?.outputUsd).toBe('8');
    playground.keyId.set('');
    expect(playground.pricesOf('a')?.outputUsd).toBe('10');
  });

  test('is a temporary value, made once and renewed before it ends', async () => {
    let nowMs = 0;
    const { api, playground } = await keyOver(() => nowMs);
    expect(await playground.value()).toBe('temporary-1');
    nowMs = HOUR_MS - 61_000;
    expect(await playground.value()).toBe('temporary-1');
    nowMs = HOUR_MS - 59_000;
    expect(await playground.value()).toBe('temporary-2');
    expect(api.callsOf('createTemporaryKeyValue')).toHaveLength(2);
  });

  test('keeps its temporary value for users who leave and come back: an hour has a limit of them', async () => {
    const { api, fresh, temporary, playground } = await keyOver(() => 0);
    await playground.value();
    const again = new PlaygroundKey(api, fresh, temporary);
    await again.load(undefined);
    expect(await again.value()).toBe('temporary-1');
    temporary.forget();
    expect(await again.value()).toBe('temporary-2');
  });

  test('is the value just made, or the one typed in, when there is one', async () => {
    const { api, fresh, playground } = await keyOver(() => 0);
    fresh.remember(key.id, 'sk-fresh');
    expect(await playground.value()).toBe('sk-fresh');
    playground.typed.set(' sk-typed ');
    expect(await playground.value()).toBe('sk-typed');
    expect(api.callsOf('createTemporaryKeyValue')).toHaveLength(0);
    fresh.forget();
    expect(fresh.valueOf(key.id)).toBeUndefined();
  });
});

describe('The bill of a reply', () => {
  const noPause = (): Promise<void> => Promise.resolve();

  test('is looked for until it is in the book', async () => {
    let looks = 0;
    const api = new FakeApi({
      getOwnUsageRecord: () => {
        looks += 1;
        if (looks < 3) throw new ApiFailure({ code: 'not_found', status: 404 });
        return record;
      },
    });
    const bill = new ReplyBill(api, noPause);
    expect(await bill.await(record.requestId)).toEqual(record);
    expect(bill.record()?.costUsd).toBe('0.000804');
    expect(looks).toBe(3);
  });

  test('of a former reply is not shown with the next one', async () => {
    const api = new FakeApi({ getOwnUsageRecord: () => record });
    const bill = new ReplyBill(api, noPause);
    const former = bill.await(record.requestId);
    bill.clear();
    expect(await former).toBeUndefined();
    expect(bill.record()).toBeUndefined();
  });

  test('is given up when it does not come: the forecast stays', async () => {
    const api = new FakeApi({
      getOwnUsageRecord: () => Promise.reject(new ApiFailure({ code: 'not_found' })),
    });
    expect(await new ReplyBill(api, noPause).await('x')).toBeUndefined();
  });
});

describe('The parameters', () => {
  test('that are left empty are left to the model', () => {
    const settings = new ChatSettings();
    expect([settings.parameters(), settings.system()]).toEqual([{}, undefined]);
    settings.controls.temperature.setValue('0.7');
    settings.controls.outputTokensMax.setValue('1,000');
    settings.controls.system.setValue(' Be brief. ');
    expect(settings.parameters()).toEqual({ temperature: 0.7, outputTokensMax: 1_000 });
    expect(settings.system()).toBe('Be brief.');
  });

  test.each([
    ['temperature', '2.1'],
    ['temperature', '-0.1'],
    ['topP', '1.5'],
    ['outputTokensMax', '0'],
    ['outputTokensMax', '1.5'],
  ] as const)('%s does not take %s', (name, value) => {
    const settings = new ChatSettings();
    settings.controls[name].setValue(value);
    expect(settings.group.valid).toBe(false);
  });
});
