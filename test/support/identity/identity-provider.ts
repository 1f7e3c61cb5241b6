import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export const CLIENT_ID = 'weir';
export const CLIENT_SECRET = 'the-secret-of-the-client-of-weir';

/** The claims of a person at the provider. */
export interface ProviderPerson {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly groups?: readonly string[];
}

/** A real OpenID provider, whose people have no passwords. */
export interface IdentityProvider {
  readonly issuer: string;
  /** Sets what the provider says of a person from now on. */
  setPerson(subject: string, person: ProviderPerson): void;
  /** A person with a browser and a session at the provider. */
  browser(): ProviderBrowser;
  close(): Promise<void>;
}

export interface ProviderBrowser {
  /** Follows an authorization address, logs in where it is asked to, and returns the callback. */
  authorize(url: string, subject: string): Promise<URL>;
  /** Logs out at the provider, which then sends logout tokens. */
  logOut(): Promise<void>;
}

interface Options {
  readonly redirectUris: readonly string[];
  /** The address that logout tokens go to. */
  readonly logoutUri?: string;
}

const GROUPS_CLAIMS = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name'],
  groups: ['groups'],
};

/** The redirect that a request is replied to with. */
function locationOf(reply: Response, base: string): string {
  const location = reply.headers.get('location');
  if (location === null) throw new Error(`no redirect: HTTP ${String(reply.status)}`);
  return new URL(location, base).href;
}

function openBrowser(issuer: string): ProviderBrowser {
  const cookies = new Map<string, string>();
  const visit = async (url: string, form?: Record<string, string>): Promise<Response> => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const reply = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return reply;
  };
  return {
    async authorize(url, subject) {
      let at = url;
      for (let steps = 0; steps < 10; steps += 1) {
        const isForm = at.startsWith(`${issuer}/interaction/`);
        const form = isForm ? { prompt: 'login', login: subject, password: 'any' } : undefined;
        at = locationOf(await visit(at, form), issuer);
        if (!at.startsWith(issuer)) return new URL(at);
      }
      throw new Error('the provider sends the browser in circles');
    },
    async logOut() {
      const page = await (await visit(`${issuer}/session/end`)).text();
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
      await visit(`${issuer}/session/end/confirm`, { xsrf, logout: 'yes' });
    },
  };
}

/** Starts an OpenID provider (the package oidc-provider) with one confidential client. */
export async function startIdentityProvider(options: Options): Promise<IdentityProvider> {
  const people = new Map<string, ProviderPerson>();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [...options.redirectUris],
        ...(options.logoutUri === undefined
          ? {}
          : {
              backchannel_logout_uri: options.logoutUri,
              backchannel_logout_session_required: true,
            }),
      },
    ],
    claims: GROUPS_CLAIMS,
    conformIdTokenClaims: false,
    features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
    pkce: { required: () => true },
    // Its own dispatcher connects to no address of this machine, where the gateway is.
    fetch: (url, request) => {
      const { method = 'GET', headers, body } = request ?? {};
      return fetch(url, {
        method,
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined ? {} : { body }),
      });
    },
    findAccount: (_context, subject) => ({
      accountId: subject,
      claims: () => Promise.resolve({ sub: subject, ...people.get(subject) }),
    }),
    // People are not asked whether the client may know their address.
    async loadExistingGrant({ oidc }) {
      const { client, session, params } = oidc;
      const scope = params?.['scope'];
      const grant = new provider.Grant({
        clientId: client?.clientId ?? '',
        accountId: session?.accountId ?? '',
      });
      grant.addOIDCScope(typeof scope === 'string' ? scope : '');
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  server.on('request', (request, reply) => void handle(request, reply));
  return {
    issuer,
    setPerson: (subject, person) => void people.set(subject, person),
    browser: () => openBrowser(issuer),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
