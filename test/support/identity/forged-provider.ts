import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { CLIENT_ID, CLIENT_SECRET } from './identity-provider.ts';

/** A token to forge. What is not named is as it should be. */
export interface Forgery {
  readonly claims?: JWTPayload;
  readonly header?: { readonly typ?: string };
  /** Signed by a key that the provider does not publish. */
  readonly byStranger?: boolean;
}

/** An OpenID provider that signs what a test forges. Codes work once. */
export interface ForgedProvider {
  readonly issuer: string;
  /** Replies to an authorization request: the callback, with a code for this person. */
  reply(authorization: URL, forgery?: Forgery): URL;
  sign(forgery: Forgery): Promise<string>;
  close(): Promise<void>;
}

interface Granted {
  readonly forgery: Forgery;
  readonly nonce: string | null;
}

const AGE_SECONDS = 300;

function isClient(request: IncomingMessage): boolean {
  const basic = `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`;
  return request.headers.authorization === basic;
}

export async function startForgedProvider(): Promise<ForgedProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const stranger = await generateKeyPair('RS256');
  const jwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(jwk);
  const granted = new Map<string, Granted>();
  let issuer = '';

  const sign = ({ claims, header, byStranger }: Forgery): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: issuer, aud: CLIENT_ID, iat: now, exp: now + AGE_SECONDS };
    return new SignJWT({ ...usual, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid, ...header })
      .sign(byStranger === true ? stranger.privateKey : privateKey);
  };

  /** RFC 6749, section 5.2: the client is recognised first, and a code works once. */
  const grant = async (request: IncomingMessage): Promise<[number, object]> => {
    if (!isClient(request)) return [401, { error: 'invalid_client' }];
    const code = new URLSearchParams(await text(request)).get('code') ?? '';
    const found = granted.get(code);
    granted.delete(code);
    if (found === undefined) return [400, { error: 'invalid_grant' }];
    const { forgery, nonce } = found;
    const idToken = await sign({ ...forgery, claims: { nonce, ...forgery.claims } });
    return [200, { access_token: 'token', token_type: 'Bearer', id_token: idToken }];
  };

  const answer = async (request: IncomingMessage): Promise<[number, object]> => {
    if (request.url === '/token') return grant(request);
    if (request.url === '/keys')
      return [200, { keys: [{ ...jwk, kid, alg: 'RS256', use: 'sig' }] }];
    if (request.url !== '/.well-known/openid-configuration') return [404, {}];
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
    };
    return [200, metadata];
  };

  const server = createServer((request, reply) => {
    void answer(request).then(([status, body]) => {
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    issuer,
    sign,
    reply(authorization, forgery = {}) {
      const asked = authorization.searchParams;
      const code = `code-${String(granted.size)}-${String(Math.random())}`;
      granted.set(code, { forgery, nonce: asked.get('nonce') });
      const back = new URL(asked.get('redirect_uri') ?? '');
      const query = { code, state: asked.get('state') ?? '', iss: issuer };
      back.search = new URLSearchParams(query).toString();
      return back;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
