import { describe, expect, it } from 'vitest';
import {
  type CommandName,
  COMMANDS,
} from '../../../gateway/ledger/redis/commands/command-table.ts';
import * as decode from '../../../gateway/ledger/redis/commands/decode.ts';
import * as encode from '../../../gateway/ledger/redis/commands/encode.ts';
import { luaFiles, operationsOf } from '../../support/stores/lua-scripts.ts';
import { payerOf } from '../../support/ledger/payer.ts';
import { holdOf, settleOf } from './support/fixtures.ts';

const ID = '01937f5a-0000-7000-8000-000000000001';
const names = Object.keys(COMMANDS) as CommandName[];
const hold = { ...holdOf(payerOf()), requestId: ID };
const settle = settleOf(hold, 90);

/** A format with values in place of its fields, which have the names of the values. */
function fill(format: string, values: Readonly<Record<string, string | number>>): string {
  return format.replace(/<(\w+)(?: \d+)?>/g, (field, name: string) =>
    String(values[name] ?? field),
  );
}

const HEADS: Record<CommandName, readonly [string, Record<string, string | number>]> = {
  hold: [
    encode.encodeHold({ ...hold, amountNanoUsd: 9, minimumNanoUsd: 8, tokens: 7, ttlMs: 6 }),
    { request: ID, amount: 9, minimum: 8, tokens: 7, ttlMs: 6 },
  ],
  extend: [
    encode.encodeExtend({
      requestId: ID,
      payer: hold.payer,
      extension: 9,
      amountNanoUsd: 8,
      minimumNanoUsd: 7,
      ttlMs: 6,
    }),
    { request: ID, extension: 9, amount: 8, minimum: 7, ttlMs: 6 },
  ],
  settle: [
    encode.encodeSettle({ ...settle, actualNanoUsd: 9, tokens: 8 }, 7),
    { request: ID, actual: 9, tokens: 8, epoch: 7 },
  ],
  release: [encode.encodeRelease({ requestId: ID, accountId: ID }), { request: ID }],
  expire: [encode.encodeExpire(7, 100), { partition: '07', limit: 100 }],
  credit: [
    encode.encodeCredit({
      entryId: 'e',
      accountId: ID,
      sequence: 9,
      amountNanoUsd: -8,
      holdId: ID,
    }),
    { sequence: 9, amount: -8, hold: ID },
  ],
  load: [
    encode.encodeLoad({ epoch: 9, creditSequence: 8, balanceNanoUsd: -7 }),
    { epoch: 9, sequence: 8, balance: -7 },
  ],
  accountState: [encode.encodeAccountState(), {}],
  probe: [encode.encodeProbe(7, ID), { partition: '07', request: ID }],
  watch: [encode.encodeWatch([7]), { partition: '07' }],
};

type Replies<Name extends CommandName> = (typeof COMMANDS)[Name]['replies'][number];
/** A line of every reply that the table names, and what it means. */
type Meanings = {
  readonly [Name in CommandName]: Readonly<
    Record<Replies<Name>, readonly [line: string, meaning: unknown]>
  >;
};

type Amounts = readonly [balance: number, subscription: number, uncollected: number];

const paid = (code: string, [balance, subscription, uncollected]: Amounts, subscriptions = '') => ({
  outcome: {
    code,
    balanceNanoUsd: balance,
    subscriptionNanoUsd: subscription,
    uncollectedNanoUsd: uncollected,
  },
  epoch: 3,
  subscriptions,
});

const MEANINGS: Meanings = {
  hold: {
    h: ['h', { code: 'held', heldNanoUsd: hold.amountNanoUsd }],
    'h<held>': ['h5', { code: 'held', heldNanoUsd: 5 }],
    'e<held>': ['e5', { code: 'exists', heldNanoUsd: 5 }],
    'R<number>,<retryAfterMs>,<affordable>': [
      'R15,-1,4',
      { code: 'insufficient_balance', retryAfterMs: null, affordableNanoUsd: 4 },
    ],
  },
  extend: {
    'x<held>': ['x5', { code: 'extended', heldNanoUsd: 5 }],
    'e<held>': ['e5', { code: 'exists', heldNanoUsd: 5 }],
    f: ['f', { code: 'hold_not_found' }],
    c: ['c', { code: 'request_closed' }],
    'b<affordable>': ['b5', { code: 'insufficient_balance', affordableNanoUsd: 5 }],
    'k<number>,<affordable>': ['k6,5', { code: 'team_budget_exceeded', affordableNanoUsd: 5 }],
  },
  settle: {
    's<epoch>': ['s3', paid('settled', [90, 0, 0])],
    'S<epoch>,<charge>': ['S3,40,30,20;s,1,30', paid('settled', [40, 30, 20], ';s,1,30')],
    'l<epoch>,<charge>': ['l3,40,30,20;s,1,30', paid('settled_late', [40, 30, 20], ';s,1,30')],
    'e<epoch>,<charge>': ['e3,40,30,20', paid('exists', [40, 30, 20])],
    'e<epoch>s': ['e3s', paid('exists', [90, 0, 0])],
    'e<epoch>u': ['e3u', paid('exists', [0, 90, 0])],
    c: ['c', { outcome: { code: 'request_closed' }, epoch: 0, subscriptions: '' }],
    'd<epoch>': ['d3', 3],
  },
  release: {
    r: ['r', { code: 'released' }],
    e: ['e', { code: 'exists' }],
    f: ['f', { code: 'hold_not_found' }],
    c: ['c', { code: 'request_closed' }],
  },
  expire: { 'x<closed>,<looked>,<more>': ['x1,2,1', { closed: 1, looked: 2, more: true }] },
  credit: {
    'c<sequence>': ['c5', { code: 'credited', sequence: 5 }],
    'e<sequence>': ['e5', { code: 'exists', sequence: 5 }],
    'o<sequence>': ['o5', { code: 'out_of_order', sequence: 5 }],
    n: ['n', { code: 'not_loaded', sequence: 0 }],
  },
  load: {
    l: ['l', 'loaded'],
    p: ['p', 'other_epoch'],
    'd<epoch>': ['d3', 'other_epoch'],
    t: ['t', 'stale'],
  },
  accountState: {
    'a<available>,<held>,<owed>,<creditSequence>,<inFlight>': [
      'a1,2,3,4,5',
      {
        accountId: ID,
        availableNanoUsd: 1,
        heldNanoUsd: 2,
        owedNanoUsd: 3,
        creditSequence: 4,
        inFlight: 5,
      },
    ],
  },
  probe: { p: ['p', 'held'], n: ['n', 'no_epoch'] },
  watch: {
    'w<epoch>,<drainedMs>,<records>,<entered>…': [
      'w3,10,2,9-1;,11,0,',
      [
        { epoch: 3, drainedMs: 10, records: 2, entered: '9-1' },
        { epoch: undefined, drainedMs: 11, records: 0, entered: '' },
      ],
    ],
  },
};

const DECODERS: Record<CommandName, (line: string) => unknown> = {
  hold: (line) => decode.decodeHold(line, hold),
  extend: decode.decodeExtend,
  settle: (line) => decode.decodeOtherEpoch(line) ?? decode.decodeSettle(line, settle),
  release: decode.decodeRelease,
  expire: decode.decodeExpire,
  credit: decode.decodeCredit,
  load: decode.decodeLoad,
  accountState: (line) => decode.decodeAccountState(line, ID),
  probe: decode.decodeProbe,
  watch: decode.decodeWatch,
};

/** Reports whether a decoder refuses a line that it does not know. */
function isBroken(name: CommandName, line: string): boolean {
  try {
    return /ledger_unavailable|^"broken"$/.test(JSON.stringify(DECODERS[name](line)));
  } catch {
    return true;
  }
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'.match(/./g) ?? [];
const lettersOf = (replies: readonly string[]): Set<string> =>
  new Set(replies.map((reply) => reply.charAt(0)));

function luaOf(name: CommandName): { readonly header: string; readonly code: string } {
  const file = luaFiles().find(({ path }) =>
    path.endsWith(`ledger/redis/lua/${COMMANDS[name].lua}.lua`),
  );
  if (file === undefined) throw new Error(`no Lua file for ${name}`);
  return file;
}

/** Replies in the code's return statements: 'f', 'x%.0f', the beginning of 'e' .. epoch. */
function returnedBy(code: string): string[] {
  return [...code.matchAll(/\breturn\b.*/g)].flatMap(([statement]) =>
    [...statement.matchAll(/'([A-Za-z](?:%[.\d]*[dfs]|,)*)'/g)].map(([, text = '']) => text),
  );
}

/** Names that the code gives to the numbers of the head, in their order. */
function readBy(code: string): string[] | undefined {
  const [, read] = /local ([\w, ]+) = match\(head, /.exec(code) ?? [];
  return read?.split(', ').map((name) => name.replace(/_(text|id)$/, ''));
}

describe.each(names)('the command %s', (name) => {
  const { head, replies, arguments: args, lua } = COMMANDS[name];

  it('is encoded as the table says', () => {
    const [encoded, values] = HEADS[name];
    expect(encoded).toBe(fill(head, values).replace('…', ''));
  });

  it('has its replies decoded, and no other', () => {
    for (const [line, meaning] of Object.values(MEANINGS[name]) as [string, unknown][]) {
      expect(DECODERS[name](line), line).toEqual(meaning);
    }
    expect(Object.keys(MEANINGS[name]).sort()).toEqual([...replies].sort());
    const known = lettersOf(replies);
    const decoded = LETTERS.filter((letter) => !isBroken(name, `${letter}3`));
    expect(decoded.filter((letter) => !known.has(letter))).toEqual([]);
  });

  it('is dispatched to its Lua function with its arguments', () => {
    const batch = luaFiles().find(({ name: file }) => file === 'batch.lua');
    const operations = operationsOf(batch?.code ?? '');
    expect(operations).toHaveLength(names.length);
    expect(operations).toContainEqual({
      letter: head.charAt(0),
      functionName: lua.replaceAll('-', '_'),
      arguments: args.length,
    });
  });

  it('is documented in its Lua file as in the table', () => {
    const { header } = luaOf(name);
    const [before = '', after = ''] = header.split(/^Returns /m);
    expect(before).toContain(`"${head}"`);
    for (const argument of args) expect(before).toMatch(new RegExp(`^ {2}${argument} `, 'm'));
    const [documented = ''] = after.split(/^$/m);
    const texts = [...documented.matchAll(/"([A-Za-z](?:<\w+>|[,…su])*)"/g)].map(
      ([, text]) => text,
    );
    expect(new Set(texts.filter((text) => text !== 'N'))).toEqual(new Set<string>(replies));
  });

  it('is read and answered by its Lua file as in the table', () => {
    const { header, code } = luaOf(name);
    const fields = [...head.matchAll(/<(\w+?)(?:Ms)?( 36)?>/g)]
      .filter(([, field, isId]) => isId === undefined || field !== 'request')
      .map(([, field]) => field);
    const read = readBy(code);
    if (read !== undefined) expect(read).toEqual(fields);
    const returned = returnedBy(code);
    const common = header.includes('"N"') ? ['N'] : [];
    expect(lettersOf(returned)).toEqual(new Set([...lettersOf(replies), ...common]));
    const shapes = replies.map((reply) => reply.replaceAll(/<\w+>/g, '%'));
    for (const text of returned.filter((one) => one.includes('%'))) {
      expect(shapes).toContain(text.replaceAll(/%[.\d]*[dfs]/g, '%'));
    }
  });
});
