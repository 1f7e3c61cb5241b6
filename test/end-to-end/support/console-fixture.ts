import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Browser, BrowserContext, ConsoleMessage, Page } from 'playwright-core';
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
import { launchChromium } from '../../support/machine/chromium.ts';
import { HANG_MS } from '../../support/clocks/hang.ts';
import { createDatabase, type TestDatabase } from '../../support/stores/postgres.ts';
import { redisUrl } from '../../support/stores/redis.ts';
import { startWeir, type Weir } from '../../support/weir.ts';

export const ADMIN_EMAIL = 'admin@example.org';
export const PASSWORD = 'correct horse battery';

const CONSOLE = new URL('../../../console/dist/browser/index.html', import.meta.url);

/** The caller of the API: the value of the session's cookie. */
export interface Caller {
  readonly cookie: { readonly name: string; readonly value: string };
}

interface Asking<Route extends RouteId> {
  /** The first administrator unless another one is named. */
  readonly as?: Caller | undefined;
  readonly params?: ParamsOf<Route>;
  readonly query?: QueryOf<Route> | object;
  readonly body?: BodyOf<Route> | object;
}

export interface VisitorOptions {
  /** Already logged in. */
  readonly as?: Caller;
  readonly theme?: 'light' | 'dark';
  readonly language?: 'en-US' | 'zh-CN';
  readonly size?: { readonly width: number; readonly height: number };
}

/** A person with a browser of their own: nothing is shared with others, not even the cache. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /**
   * Errors and warnings of the browser's console, exceptions, breaches of the policy: all must stay
   * none.
   */
  readonly complaints: string[];
}

/** Weir as its users start it, with its console as it is built, and a browser. */
export interface ConsoleFixture {
  readonly weir: Weir;
  readonly browser: Browser;
  readonly database: TestDatabase;
  /** E-mail of the first administrator. */
  readonly admin: string;
  ask<Route extends RouteId>(route: Route, asking?: Asking<Route>): Promise<ReplyOf<Route>>;
  logIn(email: string): Promise<Caller>;
  /** A user with an account of their own. */
  register(email: string): Promise<Caller>;
  visitor(options?: VisitorOptions): Promise<Visitor>;
  close(): Promise<void>;
}

/** Makes waiting for the stores short, and a code of an e-mail unnecessary. */
const ENVIRONMENT = {
  BOOTSTRAP_ADMIN_EMAIL: ADMIN_EMAIL,
  BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
  CHANGE_POLL_MS: '100',
  GATEWAY_THREADS: '1',
  WORKER_THREADS: '1',
  ALLOW_PRIVATE_UPSTREAMS: 'true',
};

/** Less than a test may take, so that a step that hangs is named. */
const STEP_TIMEOUT_MS = HANG_MS / 2;

const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

function addressOf<Route extends RouteId>(route: Route, asking: Asking<Route>): string {
  const params = new Map(Object.entries<string>(asking.params ?? {}));
  const path = ADMIN_ROUTES[route].path.replace(/:(\w+)/g, (_match, name: string) =>
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

function cookieOf(response: Response): Caller['cookie'] {
  const [pair = ''] = (response.headers.getSetCookie()[0] ?? '').split(';');
  const [name = '', value = ''] = pair.split('=');
  return { name, value };
}

async function send<Route extends RouteId>(
  weir: Weir,
  routeId: Route,
  asking: Asking<Route> & { readonly as: Caller | undefined },
): Promise<Response> {
  const route: AdminRoute = ADMIN_ROUTES[routeId];
  const response = await fetch(`${weir.adminUrl}${addressOf(routeId, asking)}`, {
    method: route.method,
    headers: {
      ...(asking.as === undefined
        ? {}
        : { cookie: `${asking.as.cookie.name}=${asking.as.cookie.value}` }),
      ...(asking.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(route.idempotencyKey === true ? { 'idempotency-key': randomUUID() } : {}),
      'if-match': '*',
    },
    ...(asking.body === undefined ? {} : { body: JSON.stringify(asking.body) }),
  });
  if (!response.ok) throw new Error(`${routeId}: ${await response.text()}`);
  return response;
}

async function logIn(weir: Weir, email: string): Promise<Caller> {
  const body = { email, password: PASSWORD };
  return { cookie: cookieOf(await send(weir, 'logIn', { as: undefined, body })) };
}

/**
 * Browsers write every 4xx down. From the API it is an answer that pages ask for on purpose:
 * whether anyone is logged in, whether a record has arrived yet.
 */
function isAnswer(message: ConsoleMessage): boolean {
  const { pathname } = new URL(message.location().url || 'about:blank');
  return pathname.startsWith(ADMIN_API_ROOT) && /status of 4\d\d/.test(message.text());
}

/** Collects what a browser complains about while a page is used. */
function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type()) || isAnswer(message)) return;
    complaints.push(`${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  return complaints;
}

async function welcome(
  browser: Browser,
  weir: Weir,
  options: VisitorOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: weir.adminUrl,
    locale: options.language ?? 'en-US',
    timezoneId: 'UTC',
    colorScheme: options.theme ?? 'light',
    viewport: options.size ?? DESKTOP,
    // Movement would only make tests wait; that it can be switched off is part of the console.
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  if (options.as !== undefined) {
    await context.addCookies([{ ...options.as.cookie, url: weir.adminUrl }]);
  }
  const page = await context.newPage();
  return { page, context, complaints: listen(page) };
}

/** `env` is added to the usual settings. */
export async function createConsoleFixture(
  env: Readonly<Record<string, string>> = {},
): Promise<ConsoleFixture> {
  if (!existsSync(CONSOLE)) throw new Error('Build the console first: npm run build -w console');
  const database = await createDatabase();
  const [weir, browser] = await Promise.all([
    startWeir({
      DATABASE_URL: database.url,
      REDIS_URL: await redisUrl(),
      ...ENVIRONMENT,
      ...env,
    }),
    launchChromium(),
  ]);
  const admin = await logIn(weir, ADMIN_EMAIL);
  return {
    weir,
    browser,
    database,
    admin: ADMIN_EMAIL,
    async ask(route, asking = {}) {
      const response = await send(weir, route, { as: admin, ...asking });
      const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
      return (isJson ? await response.json() : await response.text()) as ReplyOf<typeof route>;
    },
    logIn: (email) => logIn(weir, email),
    async register(email) {
      await send(weir, 'register', { as: undefined, body: { email, password: PASSWORD } });
      return logIn(weir, email);
    },
    visitor: (options) => welcome(browser, weir, options),
    async close() {
      await browser.close();
      await weir.end('SIGTERM');
      await database.drop();
    },
  };
}
