/**
 * Uses every route for what it is there for, and then looks at what was left behind: replies that
 * are not as the OpenAPI document says, secrets in the database and in the log.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FILE_MEDIA_TYPES, fileKindOf, type AdminRoute } from '@weir/shared/api/admin-route';
import { ADMIN_API_ROOT, ADMIN_ROUTES, type RouteId } from '@weir/shared/api/admin-routes';
import { useEverything } from './support/use/use-everything.ts';
import type { Reply, Walk } from './support/walk.ts';

let walk: Walk;
let ajv: Ajv2020;

beforeAll(async () => {
  walk = await useEverything();
  const document = await walk.fixture.app.inject({ url: '/api/openapi.json' });
  // The document around the schemas is no JSON Schema, which a strict validator would complain
  // about.
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(JSON.parse(document.body) as object, 'api');
});
afterAll(() => walk.close());

const routes = Object.entries<AdminRoute>(ADMIN_ROUTES).map(
  ([id, route]): [RouteId, AdminRoute] => [id as RouteId, route],
);

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** The document's schema of a route's replies. */
function schemaOf({ method, path }: AdminRoute, response: string, contentType: string) {
  const pointer = [
    'paths',
    ADMIN_API_ROOT + path.replace(/:(\w+)/g, '{$1}'),
    method.toLowerCase(),
    'responses',
    response,
    'content',
    contentType,
    'schema',
  ];
  const $ref = `api#/${pointer.map(escaped).map(encodeURIComponent).join('/')}`;
  return ajv.getSchema($ref) ?? ajv.compile({ $ref });
}

/** Returns the faults of a reply by the OpenAPI document. */
function faultsOf(route: AdminRoute, { status, contentType, text }: Reply): unknown {
  const [mediaType = ''] = contentType.split(';');
  if (status < 400 && route.reply === 'none') return text === '' ? [] : text;
  const file = fileKindOf(route);
  if (status < 400 && file !== undefined) {
    return mediaType === FILE_MEDIA_TYPES[file] ? [] : mediaType;
  }
  const response = status >= 400 && status < 500 ? '4XX' : String(status);
  const validate = schemaOf(route, response, mediaType);
  return validate(JSON.parse(text)) ? [] : validate.errors;
}

describe('every route', () => {
  it.each(routes)('%s succeeds, and answers as the OpenAPI document says', (id, route) => {
    const replies = walk.replies.get(id) ?? [];
    const statuses = replies.map(({ status }) => status);
    expect(statuses, replies.at(-1)?.text).toContain(route.status);
    for (const reply of replies) expect(faultsOf(route, reply), reply.text).toEqual([]);
  });

  it('is looked at with a schema that can refuse', () => {
    const [key] = walk.replies.get('getKey') ?? [];
    const view = JSON.parse(key?.text ?? '') as Record<string, unknown>;
    const wrong = { ...view, spentTodayUsd: 1.5, nonsense: true, createdAt: 'yesterday' };
    const reply = { status: 200, contentType: 'application/json', text: JSON.stringify(wrong) };
    expect(faultsOf(ADMIN_ROUTES.getKey, reply)).not.toEqual([]);
    const gone = { ...reply, text: '{}' };
    expect(faultsOf(ADMIN_ROUTES.getKey, gone)).not.toEqual([]);
  });
});

/** Every row of every table as text; bytes as hexadecimal. */
async function dump(): Promise<string> {
  const { pool } = walk.fixture;
  const { rows: tables } = await pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t`);
      return rows.map(({ row }) => row).join('\n');
    }),
  );
  return texts.join('\n');
}

/** A secret as it may be written: as it is, in hexadecimal, in base 64. */
function writings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // Base 64 depends on the neighbours; three alignments cover every place inside of a longer text.
  const aligned = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .slice(4, -4)
      .replace(/=+$/, ''),
  );
  return [secret, JSON.stringify(secret).slice(1, -1), bytes.toString('hex'), ...aligned];
}

function found(text: string): string[] {
  return [...walk.secrets]
    .filter(([, secret]) => writings(secret).some((writing) => text.includes(writing)))
    .map(([what]) => what);
}

/** The kinds of secrets that the walk must have met. */
const KINDS = [
  'password',
  'new password',
  'mistyped password',
  'session of an administrator',
  'access token (full)',
  'access token (read)',
  'second factor',
  'recovery code',
  'used recovery code',
  'link to verify',
  'link to reset',
  'link not followed',
  'link of a welcome',
  'key',
  'temporary key',
  'rotated key',
  'upstream credential',
  'redemption code',
  'redeemed code',
  'invitation code',
  'Stripe key',
  'webhook secret',
  'alert secret',
  'address of an alert',
];

describe('after every route was used', () => {
  it('the secrets are all there to be looked for', () => {
    expect([...walk.secrets.keys()]).toEqual(expect.arrayContaining(KINDS));
    for (const [what, secret] of walk.secrets) expect(secret.length, what).toBeGreaterThan(10);
    expect(new Set(walk.secrets.values()).size).toBe(walk.secrets.size);
  });

  it('the database holds none of them in clear', async () => {
    const text = await dump();
    expect(text.length).toBeGreaterThan(10_000);
    expect(found(text)).toEqual([]);
  });

  it('the log holds none of them', () => {
    const text = walk.fixture.log.join('\n');
    expect(text).toContain('No, says Stripe.');
    expect(found(text)).toEqual([]);
  });

  it('the scan would find one, however it is written', async () => {
    const { pool } = walk.fixture;
    const write = 'update settings set announcement = $1';
    for (const [what, secret] of walk.secrets) {
      const bytes = Buffer.from(`so: ${secret}, that is all`);
      for (const text of [`${secret}!`, bytes.toString('hex'), bytes.toString('base64')]) {
        expect(found(text), what).toContain(what);
      }
    }
    await pool.query(write, [walk.secrets.get('upstream credential')]);
    expect(found(await dump())).toEqual(['upstream credential']);
  });
});
