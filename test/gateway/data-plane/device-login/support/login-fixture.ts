import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createDatabase } from '../../../../support/postgres.ts';
import { startFakeUpstream, type FakeUpstream } from '../../../../support/fake-upstream.ts';
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
  const cookies: string[] = [];
  const api: LoginFixture['api'] = (method, path, body, headers = {}) =>
    fetch(`${weir.adminUrl}/api/v1${path}`, {
      method,
      headers: {
        cookie: cookies.join('; '),
        'if-match': '*',
        'idempotency-key': randomUUID(),
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const make = async (path: string, body: object): Promise<{ readonly id: string }> => {
    const made = await api('POST', path, body);
    if (made.status !== 201) throw new Error(await made.text());
    return (await made.json()) as { id: string };
  };
  const login = await api('POST', '/sessions', { email: EMAIL, password: PASSWORD });
  cookies.push(login.headers.get('set-cookie')?.split(';')[0] ?? '');
  const { user } = (await login.json()) as { user: { accountId: string } };
  const groupId = (await make('/groups', { name: 'login' })).id;
  const model = { publicId: MODEL, contextTokensMax: 8192, outputTokensMax: 512 };
  const modelId = (await make('/models', { ...model, groupIds: [groupId] })).id;
  await make(`/models/${modelId}/prices`, { inputUsd: '10', outputUsd: '0' });
  await make('/channels', {
    name: 'login',
    baseUrl: upstream.url,
    allowPrivate: true,
    credentials: ['upstream-credential-of-the-test'],
    models: [{ modelId, upstreamName: 'upstream-model' }],
  });
  // A hundredth of a cent each.
  upstream.behave('upstream-model', {
    kind: 'reply',
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  });

  const form: LoginFixture['form'] = async (path, fields) => {
    const reply = await fetch(`${weir.url}${path}`, {
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
  };
  const begin = async (): Promise<Codes> => {
    const { status, body } = await form('/oauth/device_authorization', { surface: 'claude_code' });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body as unknown as Codes;
  };
  const allow: LoginFixture['allow'] = (codes) =>
    api('POST', '/device-logins/allow', {
      userCode: codes.user_code,
      groupId,
      name: 'Claude Code',
    });
  const poll: LoginFixture['poll'] = (codes) =>
    form('/oauth/token', { grant_type: DEVICE_GRANT, device_code: codes.device_code });
  return {
    weir,
    pool,
    upstream,
    groupId,
    accountId: user.accountId,
    sell: async ({ publicId, url: baseUrl, credential = 'upstream-credential-of-the-test' }) => {
      const sizes = { contextTokensMax: 200_000, outputTokensMax: 64_000 };
      const { id } = await make('/models', { publicId, ...sizes, groupIds: [groupId] });
      await make(`/models/${id}/prices`, {
        inputUsd: '4',
        cachedInputUsd: '0.2',
        cacheWriteUsd: '5',
        outputUsd: '20',
      });
      await make('/channels', {
        name: publicId,
        kind: 'anthropic',
        baseUrl,
        allowPrivate: true,
        credentials: [credential],
        models: [{ modelId: id, upstreamName: publicId }],
      });
    },
    api,
    form,
    begin,
    allow,
    poll,
    refresh: (token) => form('/oauth/token', { grant_type: 'refresh_token', refresh_token: token }),
    logIn: async () => {
      const codes = await begin();
      const allowed = await allow(codes);
      const { id: keyId } = (await allowed.json()) as { id: string };
      const { status, body } = await poll(codes);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return { tokens: body as Tokens, keyId };
    },
    ask: (token) =>
      fetch(`${weir.url}/v1/messages?beta=true`, {
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
      }),
    close: async () => {
      await weir.end('SIGTERM');
      await upstream.close();
      await pool.end();
      await database.drop();
    },
  };
}
