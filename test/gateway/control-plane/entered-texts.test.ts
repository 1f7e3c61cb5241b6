import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteId } from '@weir/shared/api/admin-routes';
import { textFault, trimPasted } from '@weir/shared/api/text-faults';
import { unseal } from '../../../gateway/platform/secrets/secrets.ts';
import { TEST_SECRETS } from '../../support/seed.ts';
import { KEY_FORMS, makeKey } from '../../support/clients/planted-keys.ts';
import { createAdminFixture, PASSWORD, type AdminFixture, type Person } from './support/fixture.ts';

const NOBODY = '00000000-0000-7000-8000-000000000000';
const BASE_URL = 'https://1.1.1.1/v1';

let fixture: AdminFixture;
let admin: Person;
let user: Person;
let channelId: string;

beforeAll(async () => {
  fixture = await createAdminFixture();
  admin = await fixture.admin();
  user = await fixture.user();
  const body = { name: 'a channel', baseUrl: BASE_URL };
  channelId = (await fixture.ask('createChannel', { as: admin, body })).reply.id;
});
afterAll(() => fixture.close());

/** A refused input, and its message. */
type Refused = readonly [what: string, route: RouteId, body: object, field: string, fault: string];

const CHANNEL = { name: 'another', baseUrl: BASE_URL };
const REFUSED: readonly Refused[] = [
  [
    'a credential with a zero-width space',
    'createCredential',
    { secret: 'sk-a\u200bb' },
    'secret',
    'U+200B (ZERO WIDTH SPACE) as character 5',
  ],
  [
    'a credential with a curly quote',
    'createCredential',
    { secret: '“sk-ab”' },
    'secret',
    'U+201C (LEFT DOUBLE QUOTATION MARK) as character 1',
  ],
  [
    'a credential with a Cyrillic letter',
    'createCredential',
    { secret: 'sk-\u0430b' },
    'secret',
    'U+0430 (а, a Cyrillic letter) as character 4',
  ],
  [
    'a credential with a letter of full width',
    'createCredential',
    { secret: 'sk-ａ' },
    'secret',
    'U+FF41',
  ],
  [
    'a credential of two lines',
    'createCredential',
    { secret: 'sk-a\nsk-b' },
    'secret',
    'U+000A (LINE FEED) as character 5',
  ],
  [
    'a credential behind an emoji, counted as one',
    'createCredential',
    { secret: '😀sk' },
    'secret',
    'U+1F600 (😀) as character 1',
  ],
  [
    'a credential of a new channel',
    'createChannel',
    { ...CHANNEL, credentials: ['ok', 'n\u00a0o'] },
    'credentials.1',
    'U+00A0 (NO-BREAK SPACE) as character 2',
  ],
  [
    'a base address with a space',
    'createChannel',
    { ...CHANNEL, baseUrl: 'https://a b/v1' },
    'baseUrl',
    'U+0020 (SPACE) as character 10',
  ],
  [
    'a base address with a tab, which parsers drop',
    'createChannel',
    { ...CHANNEL, baseUrl: 'https://a\tb/v1' },
    'baseUrl',
    'U+0009 (TAB)',
  ],
  [
    'a base address that looks like another',
    'createChannel',
    { ...CHANNEL, baseUrl: 'https://\u0430pi.example.com' },
    'baseUrl',
    'a Cyrillic letter',
  ],
  [
    'a proxy with an end of line',
    'createChannel',
    { ...CHANNEL, proxy: 'http://p:1\r\nx' },
    'proxy',
    'U+000D (CARRIAGE RETURN)',
  ],
  [
    'an upstream’s model with a zero-width space',
    'createChannel',
    { ...CHANNEL, models: [{ modelId: NOBODY, upstreamName: 'gpt\u200b' }] },
    'models.0.upstreamName',
    'U+200B',
  ],
  [
    'a model ID with a Cyrillic letter',
    'createModel',
    { publicId: 'gpt-4\u043e', contextTokensMax: 1, outputTokensMax: 1 },
    'publicId',
    'U+043E (о, a Cyrillic letter) as character 6',
  ],
  [
    'a model of an import',
    'importModels',
    { models: [{ publicId: 'a\u2011b', contextTokensMax: 1, outputTokensMax: 1 }], dryRun: true },
    'models.0.publicId',
    'U+2011 (NON-BREAKING HYPHEN)',
  ],
  [
    'the name of a group with an override',
    'createGroup',
    { name: 'free\u202eeerf' },
    'name',
    'U+202E (RIGHT-TO-LEFT OVERRIDE) as character 5',
  ],
  [
    'the name of a plan with an escape',
    'createPlan',
    {
      name: 'a\x1b[31m',
      priceUsd: '1',
      groupIds: [NOBODY],
      allowances: [{ window: 'day', limitUsd: '1' }],
    },
    'name',
    'U+001B (ESCAPE)',
  ],
  [
    'the name of a key with an end of line',
    'createKey',
    { name: 'a\nb', groupId: NOBODY },
    'name',
    'U+000A (LINE FEED)',
  ],
  [
    'a model that a key may use',
    'createKey',
    { name: 'a', groupId: NOBODY, modelAllowlist: ['g\u200bpt'] },
    'modelAllowlist.0',
    'U+200B',
  ],
  [
    'the name of a batch of codes',
    'createRedemptionBatch',
    { name: 'a\u2066b', count: 1, kind: 'balance', amountUsd: '1' },
    'name',
    'U+2066 (LEFT-TO-RIGHT ISOLATE)',
  ],
  ['a code with an invisible character', 'redeemCode', { code: 'AAAA\u200bA' }, 'code', 'U+200B'],
  ['half of a character', 'createGroup', { name: 'a\ud800' }, 'name', 'U+D800'],
  [
    'a description with a NUL',
    'createGroup',
    { name: 'a', description: 'a\0' },
    'description',
    'U+0000 (NULL)',
  ],
  [
    'the address of a webhook',
    'createAlertTarget',
    { kind: 'webhook', name: 'a', address: 'https://ex\u200bample.com/x' },
    'address',
    'U+200B',
  ],
  [
    'an address with a quoted name',
    'createAccount',
    { name: 'a', email: '"a b"@example.org' },
    'email',
    'U+0020 (SPACE) as character 3',
  ],
  [
    'an address with CR LF',
    'createAccount',
    { name: 'a', email: '"a\r\nBcc:b"@example.org' },
    'email',
    'U+000D (CARRIAGE RETURN)',
  ],
  [
    'an address with ESC',
    'register',
    { email: '"\x1b"@example.org', password: PASSWORD },
    'email',
    'U+001B (ESCAPE)',
  ],
  [
    'an address with a Cyrillic letter',
    'register',
    { email: '\u0430@example.org', password: PASSWORD },
    'email',
    'U+0430',
  ],
];

function ask(route: RouteId, body: object) {
  const forUsers: readonly RouteId[] = ['createKey', 'redeemCode'];
  const as = forUsers.includes(route) ? user : admin;
  return fixture.ask(route, { as, anyVersion: true, params: { channelId }, body });
}

describe('is refused, with the character and its place', () => {
  it.each(REFUSED)('%s', async (...[, route, body, field, fault]) => {
    const { status, problem } = await ask(route, body);
    expect(status).toBe(400);
    expect(problem.errors?.[0]?.field).toBe(field);
    expect(problem.errors?.[0]?.detail).toContain(fault);
    expect(problem.detail).toContain(fault);
  });

  it.each([
    '"ab"@example.org',
    'a..b@example.org',
    '.a@example.org',
    'a@[203.0.113.1]',
    `${'a'.repeat(65)}@example.org`,
  ])('the address %s, which mail servers refuse', async (email) => {
    expect((await ask('createAccount', { name: 'a', email })).problem.code).toBe('invalid_value');
  });
});

describe('is taken', () => {
  it('a credential without what came with copying it', async () => {
    const secret = '\ufeff \u200bsk-pasted-credential-1\u00a0\r\n';
    const made = await ask('createCredential', { secret });
    expect(made.status).toBe(201);
    const { rows } = await fixture.pool.query<{ sealed: string }>(
      'select sealed from channel_credentials where channel_id = $1',
      [channelId],
    );
    expect(rows.map(({ sealed }) => unseal(TEST_SECRETS, sealed))).toEqual([
      'sk-pasted-credential-1',
    ]);
  });

  it('an address of a channel, and a model ID, without the white space around it', async () => {
    const made = await ask('createChannel', { name: 'trimmed', baseUrl: ` ${BASE_URL}\n` });
    expect(made.reply).toMatchObject({ baseUrl: BASE_URL });
    const body = { publicId: '\tmodel-trimmed ', contextTokensMax: 1, outputTokensMax: 1 };
    expect((await ask('createModel', body)).reply).toMatchObject({ publicId: 'model-trimmed' });
  });

  it.each(['Käufer & Söhne', '团队 一', 'فريق', 'עברית \u200f(א)', '👨‍👩‍👧 family', 'नेपाली क्‍ष'])(
    'the name %s',
    async (name) => {
      expect((await ask('createGroup', { name })).reply).toMatchObject({ name });
    },
  );

  it('a description of several lines, with what a word processor leaves in it', async () => {
    const description = '\ufeffOne\r\n\tTwo\u00ad \u200bthree';
    const { reply } = await ask('createGroup', { name: 'lines', description });
    expect(reply).toMatchObject({ description });
  });

  it.each(['a@example.org', "o'brien+weir@example.co.uk", 'admin@localhost', 'A_b-c@x--y.example'])(
    'the address %s',
    async (email) => {
      expect((await ask('createAccount', { name: email, email })).status).toBe(201);
    },
  );

  it('a log-in with an address that was taken when other rules held', async () => {
    const old = await fixture.user('"old address"@example.org');
    const body = { email: old.email, password: PASSWORD };
    expect((await fixture.ask('logIn', { body })).status).toBe(201);
  });
});

describe('a key where a name is meant', () => {
  it.each(KEY_FORMS)('is refused and not repeated: %s', async (form) => {
    const key = makeKey(form);
    const bodies: readonly (readonly [RouteId, object])[] = [
      ['createGroup', { name: key }],
      ['createGroup', { name: 'a', description: `the key is ${key}, keep it` }],
      ['createChannel', { ...CHANNEL, name: `mine (${key.slice(0, 90)})`.slice(0, 100) }],
      ['updateSettings', { announcement: `Use\n${key}\n` }],
      ['updateManagedSettings', { checksum: null, settings: { env: { TOKEN: key } } }],
      ['updateManagedSettings', { checksum: null, settings: { hooks: [{ [`a ${key}`]: 1 }] } }],
    ];
    for (const [route, body] of bodies) {
      const { status, text, problem } = await ask(route, body);
      expect(status, text).toBe(400);
      expect(text).not.toContain(key.slice(-16));
      expect(problem.code).toBe('invalid_value');
    }
  });

  it('is found by its beginning where ids are as random as keys', async () => {
    const provider = { preset: 'okta', issuer: 'https://company.okta.com', clientSecret: 'secret' };
    const create = (clientId: string) =>
      ask('createSignOnProvider', { ...provider, name: 'Company', clientId });
    const { status, problem } = await create(`（${makeKey('Google')}）`);
    expect([status, problem.errors?.[0]?.field]).toEqual([400, 'clientId']);
    const ofAuth0 = 'tK9zQ3vX7bN2mR5wL8cJ4hF6dS1gP0aY';
    expect((await create(ofAuth0)).text).not.toContain('looks like a key');
  });

  it('is named by its place in settings of any form', async () => {
    const settings = { model: 'opus', hooks: { Stop: ['ok', makeKey('Anthropic')] } };
    const { problem } = await ask('updateManagedSettings', { checksum: null, settings });
    expect(problem.errors?.[0]?.field).toBe('settings.hooks.Stop.1');
  });

  it('is taken where a key is meant', async () => {
    const secret = makeKey('Anthropic');
    expect((await ask('createCredential', { secret })).status).toBe(201);
    const { reply } = await fixture.ask('search', { as: admin, body: { text: makeKey('Weir') } });
    expect(reply).toEqual({ data: [] });
  });

  it('says so in the words of the field', async () => {
    const { problem } = await ask('createGroup', { name: `sk-proj-${'a1B2'.repeat(12)}` });
    expect(problem.errors?.[0]?.detail).toMatch(/looks like a key \("sk-proj-a…"\).*replace/);
  });
});

it('names a character as Unicode does, or by its script', () => {
  expect(textFault('ab', 'ascii')).toBeUndefined();
  expect(textFault('a\u200d', 'line')).toBeUndefined();
  expect(textFault('a\u0085', 'line')).toContain('U+0085 (a control character)');
  expect(textFault('a界', 'ascii')).toContain('U+754C (界, a Han letter) as character 2');
  expect(trimPasted('\u2028\ufeff a b\u2029')).toBe('a b');
});
