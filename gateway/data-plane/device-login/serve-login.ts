import { isRefusal } from '../../platform/errors/refusal.ts';
import type { Config } from '../../platform/config/config.ts';
import { clientAddress } from '../authentication/client-address.ts';
import type { HeaderList } from '../http/exchange-context.ts';
import type { Exchange } from '../http/exchange.ts';
import type { LoginPage } from '../paths/login-paths.ts';
import type { ThreadContext } from '../thread-context.ts';
import type { DeviceCodes } from './authorize-device.ts';
import { DEVICE_GRANT, oauthError, type LoginTask, type OAuthReply } from './login-task.ts';
import { readLoginForm } from './read-login-form.ts';

/** A form has two tokens at most. */
const FORM_BYTES_MAX = 16 * 1024;
const HEADERS: HeaderList = [
  ['content-type', 'application/json'],
  // Tokens are in replies (RFC 6749, 5.1).
  ['cache-control', 'no-store'],
];
const HOST = /^[\w.-]+(?::\d{1,5})?$|^\[[0-9a-f:]+\](?::\d{1,5})?$/i;

const UNAVAILABLE = oauthError(
  'temporarily_unavailable',
  'Logins cannot be served right now. Try again shortly.',
  503,
);

/** The addresses of this installation, as the client that asks reaches it. */
interface Addresses {
  readonly gateway: string;
  readonly console: string;
}

/**
 * Serves a path of a tool's login. The client has no key yet: this reads a small form and leaves
 * the rest to the worker pool. Never rejects.
 */
export async function serveLogin(
  exchange: Exchange,
  page: LoginPage,
  context: ThreadContext,
): Promise<void> {
  const addresses = addressesOf(exchange, context.config);
  if (page === 'device') {
    const query = exchange.query();
    const location = `${addresses.console}/device${query === '' ? '' : `?${query}`}`;
    exchange.replyWithoutBody(
      302,
      [
        ['location', location],
        ['cache-control', 'no-store'],
      ],
      0,
    );
    return;
  }
  if (page === 'metadata') {
    send(exchange, { status: 200, body: metadata(addresses.gateway) });
    return;
  }
  const { trustedProxyHops } = context.config;
  const forwardedFor = trustedProxyHops > 0 ? exchange.headerList('x-forwarded-for') : '';
  const address = clientAddress(exchange.remoteAddress(), forwardedFor, trustedProxyHops);
  const limits = { ...context.bodyLimits, bytesMax: FORM_BYTES_MAX };
  const receiving = exchange.readBody(limits, context.bodyBuffers, `login of ${address}`);
  try {
    send(exchange, await replyTo({ page, address, body: await receiving, addresses }, context));
  } catch (error) {
    context.log.broken('login', error);
    send(exchange, UNAVAILABLE);
  }
}

async function replyTo(
  asked: {
    readonly page: 'authorize' | 'token' | 'revoke';
    readonly address: string;
    readonly body: Awaited<ReturnType<Exchange['readBody']>>;
    readonly addresses: Addresses;
  },
  { workers }: ThreadContext,
): Promise<OAuthReply> {
  const { page, address, body, addresses } = asked;
  if (isRefusal(body)) return oauthError('invalid_request', body.message);
  const task = readLoginForm(page, body.toString('utf8'), address);
  if (isReply(task)) return task;
  const reply = await workers.doLoginTask(task);
  if (isRefusal(reply)) return UNAVAILABLE;
  if (page !== 'authorize' || reply.status !== 200) return reply;
  return { status: 200, body: withAddresses(reply.body as DeviceCodes, addresses) };
}

function isReply(value: LoginTask | OAuthReply): value is OAuthReply {
  return 'status' in value;
}

function withAddresses(codes: DeviceCodes, addresses: Addresses): object {
  const page = `${addresses.console}/device`;
  return {
    ...codes,
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${codes.user_code}`,
  };
}

function metadata(gateway: string): object {
  return {
    issuer: gateway,
    device_authorization_endpoint: `${gateway}/oauth/device_authorization`,
    token_endpoint: `${gateway}/oauth/token`,
    revocation_endpoint: `${gateway}/oauth/revoke`,
    grant_types_supported: [DEVICE_GRANT, 'refresh_token'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ['none'],
  };
}

/**
 * Clients take only addresses of the origin that they have asked, so they are of the Host header.
 * Behind a proxy PUBLIC_URL says whether that is reached by https.
 */
function addressesOf(exchange: Exchange, config: Config): Addresses {
  const { publicUrl, adminUrl, adminPort, trustedProxyHops } = config;
  const sent = exchange.header('host');
  const host = HOST.test(sent) ? sent : 'localhost';
  const known = publicUrl === null ? null : new URL(publicUrl);
  const isForwardedTls =
    trustedProxyHops > 0 && exchange.header('x-forwarded-proto').toLowerCase() === 'https';
  const gateway =
    known?.host === host ? known.origin : `${isForwardedTls ? 'https' : 'http'}://${host}`;
  const hostname = host.replace(/:\d{1,5}$/, '');
  return { gateway, console: adminUrl ?? `http://${hostname}:${String(adminPort)}` };
}

function send(exchange: Exchange, { status, body }: OAuthReply): void {
  exchange.reply(status, HEADERS, JSON.stringify(body));
}
