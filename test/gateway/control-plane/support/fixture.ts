import { randomBytes } from 'node:crypto';
import type { FastifyInstance, InjectOptions } from 'fastify';
import pino from 'pino';
import type pg from 'pg';
import type { AdminRoute } from '@weir/shared/api/admin-route';
import {
  ADMIN_API_ROOT,
  ADMIN_ROUTES,
  type BodyOf,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
  type RouteId,
} from '@weir/shared/api/admin-routes';
import type { UserRole } from '@weir/shared/people/users';
import { Problem } from '@weir/shared/api/problem';
import { Value } from 'typebox/value';
import type { AdminDeps } from '../../../../gateway/control-plane/admin-deps.ts';
import { createAdminServer } from '../../../../gateway/control-plane/server.ts';
import { createUser } from '../../../../gateway/control-plane/users/create-user.ts';
import { createPostgresLedger } from '../../../../gateway/ledger/create-ledger.ts';
import type { Ledger } from '../../../../gateway/ledger/ledger.ts';
import { openPool } from '../../../../gateway/stores/postgres/connect.ts';
import { createDatabase } from '../../../support/stores/postgres.ts';
import { TEST_SECRETS } from '../../../support/seed.ts';

export const PASSWORD = 'correct horse battery';
/** A hash of argon2's smallest size: hundreds of people log in with it. */
const PASSWORD_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$oE4g4Z4OIVMfu7NnnP7LIA$wQYusUoVuBzktJejnrpj/c7JU2rMPYfecKp0C1J4gtY';

/** Someone who is logged in. */
export interface Person {
  readonly userId: string;
  readonly accountId: string;
  readonly email: string;
  readonly cookie: string;
}

interface Asking<Route extends RouteId> {
  readonly as?: Person | { readonly token: string } | undefined;
  readonly params?: ParamsOf<Route> | Readonly<Record<string, string>>;
  readonly query?: QueryOf<Route> | object;
  /** Loose, because tests of refusals send what the types forbid. */
  readonly body?: BodyOf<Route> | object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Overwrites with whatever version is there. */
  readonly anyVersion?: boolean;
}

interface Answered<Route extends RouteId> {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The reply; throws when the request failed. */
  readonly reply: ReplyOf<Route>;
  /** The problem; throws when the request succeeded or what came is no problem. */
  readonly problem: Problem;
}

export interface AdminFixture {
  readonly app: FastifyInstance;
  readonly pool: pg.Pool;
  readonly ledger: Ledger;
  readonly databaseUrl: string;
  /** Every line that was logged, as JSON. */
  readonly log: string[];
  ask<Route extends RouteId>(route: Route, asking?: Asking<Route>): Promise<Answered<Route>>;
  user(email?: string): Promise<Person>;
  support(): Promise<Person>;
  admin(): Promise<Person>;
  /** The newest link that was logged in place of a mail, and its secret. */
  lastLink(to: string): { readonly link: string; readonly token: string };
  close(): Promise<void>;
}

export type FixtureOptions = Partial<Omit<AdminDeps, 'config'>> & {
  readonly config?: Partial<AdminDeps['config']>;
};

const CONFIG: AdminDeps['config'] = {
  adminUrl: null,
  trustedProxyHops: 0,
  allowPrivateUpstreams: false,
  httpsProxy: null,
  httpProxy: null,
  noProxy: null,
  smtpUrl: null,
  mailFrom: 'Weir <weir@localhost>',
  stripeSecretKey: null,
  stripeWebhookSecret: null,
  contentLogDaysMax: 30,
  contentLogBytesMax: 262_144,
};

/** Limits so high that no test reaches one by accident. */
const LIMITS = {
  requestsPerMinute: 1e6,
  guardedRequestsPerMinute: 1e6,
  attemptsPerSubject: 1e6,
  attemptsPerSubjectFromAnywhere: 1e6,
};

function urlOf<Route extends RouteId>(routeId: Route, asking: Asking<Route>): string {
  const params = new Map(Object.entries<string>(asking.params ?? {}));
  const path = ADMIN_ROUTES[routeId].path.replace(/:(\w+)/g, (_match, name: string) =>
    encodeURIComponent(params.get(name) ?? ''),
  );
  const query = new URLSearchParams(
    Object.entries<unknown>({ ...asking.query }).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]),
  );
  return `${ADMIN_API_ROOT}${path}${query.size === 0 ? '' : `?${query.toString()}`}`;
}

function headersOf(route: AdminRoute, asking: Asking<RouteId>): Record<string, string> {
  const { as } = asking;
  return {
    ...(as === undefined
      ? {}
      : 'token' in as
        ? { authorization: `Bearer ${as.token}` }
        : { cookie: as.cookie }),
    ...(route.idempotencyKey === true
      ? { 'idempotency-key': randomBytes(12).toString('hex') }
      : {}),
    ...(asking.anyVersion === true ? { 'if-match': '*' } : {}),
    ...asking.headers,
  };
}

function answered<Route extends RouteId>(response: {
  readonly statusCode: number;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}): Answered<Route> {
  const { statusCode: status, headers, body: text } = response;
  return {
    status,
    headers,
    text,
    get reply() {
      if (status >= 400) throw new Error(`refused: ${text}`);
      const isJson = String(headers['content-type']).startsWith('application/json');
      return (isJson ? JSON.parse(text) : text) as ReplyOf<Route>;
    },
    get problem() {
      const problem: unknown = JSON.parse(text);
      if (status < 400 || !Value.Check(Problem, problem)) throw new Error(`no problem: ${text}`);
      return problem;
    },
  };
}

/** The cookie to send back, of a reply's `set-cookie`. */
export function sessionCookie(setCookie: unknown): string {
  const [cookie] = Array.isArray(setCookie) ? (setCookie as string[]) : [String(setCookie)];
  return cookie?.split(';')[0] ?? '';
}

/** An admin server on a database of its own, asked without a socket. */
export async function createAdminFixture(options: FixtureOptions = {}): Promise<AdminFixture> {
  const database = await createDatabase();
  const pool =
    options.pool ?? openPool(database.url, { connectionsMax: 20, applicationName: 'test' });
  const ledger = options.ledger ?? createPostgresLedger({ pool });
  const log: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void log.push(line) });
  const app = await createAdminServer({
    secrets: TEST_SECRETS,
    gatewayUrl: 'http://127.0.0.1:8080',
    consoleUrl: 'http://console.test',
    consoleFolder: null,
    version: '0.0.0',
    limits: LIMITS,
    checkReplies: true,
    runJobs: false,
    logger,
    ...options,
    pool,
    ledger,
    config: { ...CONFIG, ...options.config },
  });
  await app.ready();

  const ask: AdminFixture['ask'] = async (routeId, asking = {}) => {
    const route: AdminRoute = ADMIN_ROUTES[routeId];
    const payload = asking.body === undefined ? {} : { payload: asking.body };
    const request: InjectOptions = {
      method: route.method,
      url: urlOf(routeId, asking),
      headers: headersOf(route, asking),
      ...payload,
    };
    return answered(await app.inject(request));
  };

  const person = async (role: UserRole, email: string): Promise<Person> => {
    const made = await createUser(pool, {
      email,
      accountName: email,
      passwordHash: PASSWORD_HASH,
      role,
      mustVerifyEmail: false,
      language: null,
    });
    const login = await ask('logIn', { body: { email, password: PASSWORD } });
    return { ...made, email, cookie: sessionCookie(login.headers['set-cookie']) };
  };
  const anyEmail = () => `${randomBytes(6).toString('hex')}@example.org`;

  return {
    app,
    pool,
    ledger,
    databaseUrl: database.url,
    log,
    ask,
    user: (email = anyEmail()) => person('user', email),
    support: () => person('support', anyEmail()),
    admin: () => person('admin', anyEmail()),
    lastLink(to) {
      const line = log.findLast(
        (entry) => entry.includes('"link"') && entry.includes(`"to":"${to}"`),
      );
      const { link } = JSON.parse(line ?? '{}') as { link?: string };
      if (link === undefined) throw new Error(`no link was made for ${to}`);
      return { link, token: link.split('#token=')[1] ?? '' };
    },
    async close() {
      await app.close();
      await ledger.close();
      await pool.end();
      await database.drop();
    },
  };
}
