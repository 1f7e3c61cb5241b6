import { beforeEach, describe, expect, it } from 'vitest';
import type { KeyRow } from '../../../../gateway/data-plane/authentication/key-row.ts';
import { Principal } from '../../../../gateway/data-plane/authentication/principal.ts';
import { Principals } from '../../../../gateway/data-plane/authentication/principals.ts';
import { Catalog } from '../../../../gateway/catalog/catalog.ts';
import {
  generateKey,
  hasCheckLetters,
  keyPrefix,
} from '../../../../gateway/platform/secrets/api-key.ts';
import { KEY_ROW } from '../../../support/ledger/key-row.ts';
import { TEST_SECRETS } from '../../../support/seed.ts';

const CHOSEN = 'sk-chosenByTheOperatorOfThisService';

function catalogWith(uncheckedKeyPrefixes: readonly string[]): Catalog {
  return new Catalog({ version: 1, groups: [], models: [], channels: [], uncheckedKeyPrefixes });
}

describe('a key that nobody has', () => {
  let lookedUp: string[];
  beforeEach(() => {
    lookedUp = [];
  });

  function principals(catalog: Catalog): Principals {
    return new Principals({
      entriesMax: 10,
      mayExist: (key) => hasCheckLetters(TEST_SECRETS, key) || catalog.mayBeUncheckedKey(key),
      verify: (key) => {
        lookedUp.push(key);
        return Promise.resolve(null);
      },
    });
  }

  it('is refused without a look into the database when its letters are not of ours', async () => {
    const room = principals(catalogWith([]));
    for (let guess = 0; guess < 1_000; guess += 1) {
      const key = `sk-${String(guess).padStart(43, 'x')}`;
      expect(await room.find(key)).toMatchObject({ refused: 'invalid_api_key' });
    }
    expect(lookedUp).toEqual([]);
  });

  it('is looked up once when it could be one of ours', async () => {
    const { key } = generateKey(TEST_SECRETS);
    const room = principals(catalogWith([]));
    expect(await room.find(key)).toMatchObject({ refused: 'invalid_api_key' });
    expect(await room.find(key)).toMatchObject({ refused: 'invalid_api_key' });
    expect(lookedUp).toEqual([key]);
  });

  it('is looked up when it begins like one without check letters', async () => {
    const room = principals(catalogWith([keyPrefix(CHOSEN)]));
    await room.find(CHOSEN);
    await room.find('sk-otherwiseUnknownKeyOfNobodyAtAll');
    expect(lookedUp).toEqual([CHOSEN]);
  });

  it('is looked up whatever it is when too many keys have no check letters', async () => {
    const room = principals(catalogWith(['']));
    await room.find('sk-otherwiseUnknownKeyOfNobodyAtAll');
    expect(lookedUp).toHaveLength(1);
  });
});

describe('keys that somebody has', () => {
  const [first, second, third] = [1, 2, 3].map(() => generateKey(TEST_SECRETS).key);
  let lookedUp: string[];
  let room: Principals;
  beforeEach(() => {
    lookedUp = [];
    room = new Principals({
      entriesMax: 2,
      mayExist: (key) => hasCheckLetters(TEST_SECRETS, key),
      verify: (key) => {
        lookedUp.push(key);
        return Promise.resolve({ ...KEY_ROW, keyId: key, prefix: keyPrefix(key) });
      },
    });
  });

  async function find(...keys: (string | undefined)[]): Promise<(string | undefined)[]> {
    const found = [];
    for (const key of keys) found.push(await room.find(key ?? ''));
    return found.map((one) => ('keyId' in one ? one.keyId : one.refused));
  }

  it('are looked up once, and let nobody in who only begins like one of them', async () => {
    const guess = `${keyPrefix(first ?? '')}${'x'.repeat(37)}`;
    expect(await find(first, guess, first, guess)).toEqual([
      first,
      'invalid_api_key',
      first,
      'invalid_api_key',
    ]);
    expect(lookedUp).toEqual([first]);
  });

  it('are looked up again when others have taken their place', async () => {
    await find(first, second, third);
    expect(await find(first)).toEqual([first]);
    expect(lookedUp).toEqual([first, second, third, first]);
  });

  it('are looked up again when they or their account have changed', async () => {
    await find(first, second);
    room.forget([first ?? '']);
    expect(await find(first, second)).toEqual([first, second]);
    room.forget([KEY_ROW.accountId]);
    expect(await find(first, second)).toEqual([first, second]);
    expect(lookedUp).toEqual([first, second, first, first, second]);
  });
});

describe('who sends a request', () => {
  it('is let in from no address that cannot be read when addresses are limited', () => {
    const limited = new Principal({ ...KEY_ROW, ipAllowlist: ['203.0.113.0/24'] });
    expect(limited.allowsAddress('203.0.113.7')).toBe(true);
    for (const address of ['', 'unknown', '203.0.113', '203.0.113.7:']) {
      expect(limited.allowsAddress(address)).toBe(false);
    }
  });

  it('is let in from a single address and from no neighbour', () => {
    const single = new Principal({ ...KEY_ROW, ipAllowlist: ['203.0.113.7', '2001:db8::7'] });
    for (const address of ['203.0.113.7', '2001:db8::7']) {
      expect(single.allowsAddress(address)).toBe(true);
    }
    for (const address of ['203.0.113.8', '2001:db8::8']) {
      expect(single.allowsAddress(address)).toBe(false);
    }
  });

  it('has each of its budgets for its own period', () => {
    const row = { ...KEY_ROW, budgetTotal: 3, budgetDay: 1, budgetMonth: 2 };
    const { key } = new Principal(row).payer(catalogWith([]));
    expect(key.budgets).toEqual([
      { period: 'total', limitNanoUsd: 3 },
      { period: 'day', limitNanoUsd: 1 },
      { period: 'month', limitNanoUsd: 2 },
    ]);
  });

  it('has the limits of its group as the catalog has them now', () => {
    const principal = new Principal(KEY_ROW);
    const group = { id: KEY_ROW.groupId, name: 'group', active: true, multiplierPpm: 1_000_000 };
    const catalogOf = (version: number, rpm: number) =>
      new Catalog({
        version,
        groups: [{ ...group, isPublic: true, rpm, tpm: 9, modelIds: [], protocols: null }],
        models: [],
        channels: [],
        uncheckedKeyPrefixes: [],
      });
    const first = catalogOf(1, 5);
    const payer = principal.payer(first);
    expect(payer.group).toEqual({ id: KEY_ROW.groupId, rpm: 5, tpm: 9 });
    expect(principal.payer(first)).toBe(payer);
    expect(principal.payer(catalogOf(2, 3)).group.rpm).toBe(3);
  });
});

describe('a key that changes while it is looked up', () => {
  const { key } = generateKey(TEST_SECRETS);
  const row = { ...KEY_ROW, keyId: key, prefix: keyPrefix(key) };

  it.each([
    { what: 'a key', answer: row },
    { what: 'no key', answer: null },
  ])('is looked up again when the answer, $what, is older than the change', async ({ answer }) => {
    const lookups: PromiseWithResolvers<KeyRow | null>[] = [];
    const room = new Principals({
      entriesMax: 2,
      mayExist: () => true,
      verify: () => {
        const lookup = Promise.withResolvers<KeyRow | null>();
        lookups.push(lookup);
        return lookup.promise;
      },
    });
    const first = room.find(key);
    room.forget([key]);
    lookups[0]?.resolve(answer);
    await first;
    const second = room.find(key);
    expect(lookups).toHaveLength(2);
    lookups[1]?.resolve(answer);
    await second;
    await room.find(key);
    expect(lookups).toHaveLength(2);
  });
});
