import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createDatabase } from '../../../../support/stores/postgres.ts';
import {
  startFakeUpstream,
  type FakeUpstream,
} from '../../../../support/upstreams/fake-upstream.ts';
import { startWeir, type Weir } from '../../../../support/weir.ts';

const EMAIL = 'admin@example.org';
const PASSWORD = 'correct horse battery';
export const MODEL = 'login-model';

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** A tool's codes, as RFC 8628 names them. */
export interface Codes {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

export interface Tokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly email?: string;
}

/** The reply to a form: its status, and the JSON in it. */
export interface FormReply {
  readonly status: number;
  readonly body: Partial<Tokens> & { readonly error?: string };
}

/** A whole Weir with one model, and the person who answers in its console. */
export interface LoginFixture {
  readonly weir: Weir;
  readonly pool: pg.Pool;
  readonly upstream: FakeUpstream;
  readonly groupId: string;
  readonly accountId: string;
  /** Sells a model of an upstream that speaks Messages, in the group. */
  sell(model: {
    readonly publicId: string;
    readonly url: string;
    readonly credential?: string | undefined;
  }): Promise<void>;
  /** A request to the admin API, as the person. */
  api(method: string, path: string, body?: object, headers?: object): Promise<Response>;
  /** Sends a form to a path of a login, as a tool does. */
  form(path: string, fields: Readonly<Record<string, string>>): Promise<FormReply>;
  /** Begins a login. */
  begin(): Promise<Codes>;
  allow(codes: Codes): Promise<Response>;
  poll(codes: Codes): Promise<FormReply>;
  refresh(token: string): Promise<FormReply>;
  /** Begins a login, allows it and takes the tokens. */
  logIn(): Promise<{ readonly tokens: Tokens; readonly keyId: string }>;
  /** Asks the model by Messages. */
  ask(token: string): Promise<Response>;
  close(): Promise<void>;
}

type Api = LoginFixture['api'];

/** The admin API, for the session that `cookie` has. */
function openApi(adminUrl: string, cookie: string): Api {
  return (method, path, body, headers = {}) =>
    fetch(`${adminUrl}/api/v1${path}`, {
      method,
      headers: {
        cookie,
        'if-match': '*',
        'idempotency-key': randomUUID(),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
}

async function make(api: Api, path: string, body: object): Promise<string> {
  const made = await api('POST', path, body);
  if (made.status !== 201) throw new Error(await made.text());
  return ((await made.json()) as { id: string }).id;
}

interface Sold {
  readonly publicId: string;
  readonly upstreamName: string;
  readonly kind: 'openai' | 'anthropic';
  readonly url: string;
  readonly credential?: string | undefined;
  readonly prices: object;
}

async function sell(api: Api, groupId: string, sold: Sold): Promise<void> {
  const { publicId, upstreamName, kind, url: baseUrl, credential, prices } = sold;
  const sizes = { contextTokensMax: 200_000, outputTokensMax: 64_000 };
  const modelId = await make(api, '/models', { publicId, ...sizes, groupIds: [groupId] });
  await make(api, `/models/${modelId}/prices`, prices);
  await make(api, '/channels', {
    name: publicId,
    kind,
    baseUrl,
    allowPrivate: true,
    credentials: [credential ?? 'upstream-credential-of-the-test'],
    models: [{ modelId, upstreamName }],
  });
}

/** Sends a form as Claude Code does. */
async function sendForm(url: string, fields: Readonly<Record<string, string>>): Promise<FormReply> {
  const reply = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'claude-code/2.1.332',
    },
    body: new URLSearchParams(fields).toString(),
  });
  if (reply.headers.get('cache-control') !== 'no-store') throw new Error('tokens may be cached');
  return { status: reply.status, body: (await reply.json()) as FormReply['body'] };
}

function askMessages(url: string, token: string): Promise<Response> {
  return fetch(`${url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      model: MODEL,
      max_tokens: 5,
      messages: [{ role: 'user', content: 'hello' }],
    }),
  });
}

/** The acts of a tool and of the person who answers. */
function logins(url: string, api: Api, groupId: string) {
  const form: LoginFixture['form'] = (path, fields) => sendForm(`${url}${path}`, fields);
  const begin = async (): Promise<Codes> => {
    const { status, body } = await form('/oauth/device_authorization', { surface: 'claude_code' });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body as unknown as Codes;
  };
  const allow: LoginFixture['allow'] = ({ user_code: userCode }) =>
    api('POST', '/device-logins/allow', { userCode, groupId, name: 'Claude Code' });
  const poll: LoginFixture['poll'] = ({ device_code }) =>
    form('/oauth/token', { grant_type: DEVICE_GRANT, device_code });
  const refresh: LoginFixture['refresh'] = (refresh_token) =>
    form('/oauth/token', { grant_type: 'refresh_token', refresh_token });
  const logIn: LoginFixture['logIn'] = async () => {
    const codes = await begin();
    const allowed = await allow(codes);
    const { id: keyId } = (await allowed.json()) as { id: string };
    const { status, body } = await poll(codes);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return { tokens: body as Tokens, keyId };
  };
  return { form, begin, allow, poll, refresh, logIn };
}

export async function startLoginFixture(env: Record<string, string> = {}): Promise<LoginFixture> {
  const database = await createDatabase();
  const upstream = await startFakeUpstream();
  const weir = await startWeir({
    DATABASE_URL: database.url,
    BOOTSTRAP_ADMIN_EMAIL: EMAIL,
    BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
    GATEWAY_THREADS: '1',
    LOG_LEVEL: 'warn',
    ...env,
  });
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  const visitor = openApi(weir.adminUrl, '');
  const login = await visitor('POST', '/sessions', { email: EMAIL, password: PASSWORD });
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { user } = (await login.json()) as { user: { accountId: string } };
  const api = openApi(weir.adminUrl, cookie);
  const groupId = await make(api, '/groups', { name: 'login' });
  await sell(api, groupId, {
    publicId: MODEL,
    upstreamName: 'upstream-model',
    kind: 'openai',
    url: upstream.url,
    prices: { inputUsd: '10', outputUsd: '0' },
  });
  // A hundredth of a cent each.
  upstream.behave('upstream-model', {
    kind: 'reply',
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  });
  return {
    weir,
    pool,
    upstream,
    groupId,
    accountId: user.accountId,
    api,
    ...logins(weir.url, api, groupId),
    ask: (token) => askMessages(weir.url, token),
    sell: (sold) => {
      const prices = {
        inputUsd: '4',
        cachedInputUsd: '0.2',
        cacheWriteUsd: '5',
        outputUsd: '20',
      };
      const { publicId: upstreamName } = sold;
      return sell(api, groupId, { ...sold, upstreamName, kind: 'anthropic', prices });
    },
    close: async () => {
      await weir.end('SIGTERM');
      await upstream.close();
      await pool.end();
      await database.drop();
    },
  };
}
