import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { CLIENT_ID, CLIENT_SECRET } from './identity-provider.ts';

interface GitHubUser {
  readonly id: number;
  readonly login: string;
  readonly emails: readonly {
    readonly email: string;
    readonly primary: boolean;
    readonly verified: boolean;
  }[];
  readonly orgs: readonly string[];
}

/** A GitHub server of one's own. Errors of the token endpoint have the status 200, as at GitHub. */
export interface FakeGitHub {
  readonly issuer: string;
  /** Lets a user in who was sent here. Returns the callback. */
  authorize(authorization: URL, user: GitHubUser): URL;
  close(): Promise<void>;
}

const INCORRECT = {
  error: 'incorrect_client_credentials',
  error_description: 'The client_id and/or client_secret passed are incorrect.',
};
const BAD_CODE = {
  error: 'bad_verification_code',
  error_description: 'The code passed is incorrect or expired.',
};

export async function startFakeGitHub(): Promise<FakeGitHub> {
  const codes = new Map<string, GitHubUser>();
  const users = new Map<string, GitHubUser>();
  let count = 0;

  const grant = (form: URLSearchParams): object => {
    const isClient =
      form.get('client_id') === CLIENT_ID && form.get('client_secret') === CLIENT_SECRET;
    if (!isClient) return INCORRECT;
    const code = form.get('code') ?? '';
    const user = codes.get(code);
    codes.delete(code);
    if (user === undefined) return BAD_CODE;
    const access_token = `gho_${code}`;
    users.set(access_token, user);
    return { access_token, token_type: 'bearer', scope: 'read:org,user:email' };
  };

  const read = (path: string, authorization = ''): [number, unknown] => {
    const user = users.get(authorization.replace('Bearer ', ''));
    if (user === undefined) return [401, { message: 'Bad credentials' }];
    const { emails, orgs, ...own } = user;
    if (path === '/api/v3/user') return [200, own];
    if (path === '/api/v3/user/emails') return [200, emails];
    if (path === '/api/v3/user/orgs') return [200, orgs.map((login) => ({ login }))];
    return [404, { message: 'Not Found' }];
  };

  const server = createServer((request, reply) => {
    const { pathname } = new URL(request.url ?? '/', 'http://github.test');
    const isToken = pathname === '/login/oauth/access_token';
    void text(request).then((body) => {
      const [status, content] = isToken
        ? [200, grant(new URLSearchParams(body))]
        : read(pathname, request.headers.authorization);
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    issuer,
    authorize(authorization, user) {
      count += 1;
      const code = `code${String(count)}`;
      codes.set(code, user);
      const back = new URL(authorization.searchParams.get('redirect_uri') ?? '');
      const state = authorization.searchParams.get('state') ?? '';
      const iss = `${issuer}/login/oauth`;
      back.search = new URLSearchParams({ code, state, iss }).toString();
      return back;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
