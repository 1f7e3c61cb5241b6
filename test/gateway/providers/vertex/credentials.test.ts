import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TokenRequest } from '../../../../gateway/providers/minting.ts';
import { vertexMinting } from '../../../../gateway/providers/vertex/credentials/minting.ts';
import { TokenIssuer } from '../../../support/upstreams/fake-google/tokens.ts';

const BASE = 'https://aiplatform.googleapis.com/v1/projects/p/locations/global';
const TOKEN_URI = 'https://oauth2.googleapis.com/token';
const FILE = new TokenIssuer().keyFile(TOKEN_URI);
const KEY = JSON.parse(FILE) as Record<string, string>;
const FEDERATED = {
  type: 'external_account',
  audience:
    '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/p',
  subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
  token_url: 'https://sts.googleapis.com/v1/token',
  credential_source: { file: '/var/run/token' },
};

describe('a credential that is entered', () => {
  it('is kept without the members that nobody uses, and named by account and key', () => {
    const read = vertexMinting.read(FILE);
    expect(read).toMatchObject({ hint: 'weir@test-project-1.iam.gserviceaccount.com 01234567' });
    const kept = JSON.parse('secret' in read ? read.secret : '') as Record<string, string>;
    expect(Object.keys(kept)).toEqual([
      'type',
      'client_email',
      'private_key',
      'private_key_id',
      'token_uri',
    ]);
    expect(kept['private_key']).toBe(KEY['private_key']);
  });

  it.each(['AIzaSy-0123456789', 'ya29.token', 'metadata'])('%s is kept as it is', (text) => {
    expect(vertexMinting.read(text)).toMatchObject({ secret: text });
  });

  it.each([
    ['{"type": "service_account"', 'Paste the whole file'],
    ['{"type": "gdch_service_account"}', 'no credential of Google'],
    [JSON.stringify({ ...KEY, client_email: undefined }), 'client_email'],
    [JSON.stringify({ ...KEY, private_key: 'PRIVATE' }), 'no RSA key'],
    [JSON.stringify({ ...KEY, token_uri: 'file:///etc/passwd' }), 'token_uri'],
    [JSON.stringify({ ...FEDERATED, token_url: 'https://sts.example.com/' }), 'token_url'],
    [JSON.stringify({ ...FEDERATED, token_url: 'http://sts.googleapis.com/' }), 'token_url'],
    [
      JSON.stringify({ ...FEDERATED, service_account_impersonation_url: 'https://e.com' }),
      'service_account_impersonation_url',
    ],
    [
      JSON.stringify({ ...FEDERATED, credential_source: { executable: { command: 'id' } } }),
      'executable',
    ],
  ])('%s is refused', (text, words) => {
    const read = vertexMinting.read(text);
    expect('mistake' in read ? read.mistake : '').toContain(words);
  });
});

it('has an account that may do so ask for the token of another one', async () => {
  const url =
    'https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/target@p.iam.gserviceaccount.com:generateAccessToken';
  const file = JSON.stringify({
    type: 'impersonated_service_account',
    service_account_impersonation_url: url,
    source_credentials: KEY,
  });
  expect(vertexMinting.read(file)).toMatchObject({
    hint: expect.stringMatching(/^target@p.* by weir@/) as string,
  });
  const mint = vertexMinting.mintOf(file, BASE);
  if (typeof mint !== 'function') throw new Error('it is not exchanged');
  const issuer = new TokenIssuer();
  const nowMs = Date.now();
  const asked: TokenRequest[] = [];
  const minted = await mint({
    nowMs,
    ask: (request) => {
      asked.push(request);
      const { status, body } =
        request.url === TOKEN_URI
          ? issuer.exchange(new URLSearchParams(request.form), TOKEN_URI)
          : {
              status: 200,
              body: { accessToken: 'ya29.b', expireTime: new Date(nowMs + 9e5).toISOString() },
            };
      return Promise.resolve({ status, body: Buffer.from(JSON.stringify(body)) });
    },
  });
  expect(minted).toEqual({ secret: 'ya29.b', lifetimeMs: 9e5 });
  expect(asked[1]).toMatchObject({ url, headers: ['authorization', 'Bearer ya29.test-1'] });
});

it('exchanges the token of a workload that has another identity', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-token-'));
  const token = join(folder, 'token');
  writeFileSync(token, 'the token of the workload');
  let form = new URLSearchParams();
  const sts = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => {
      form = new URLSearchParams(text);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ access_token: 'ya29.federated', expires_in: 3_600 }));
    });
  });
  await new Promise<void>((resolve) => {
    sts.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    sts.close();
    rmSync(folder, { recursive: true });
  });
  const { port } = sts.address() as AddressInfo;
  const file = JSON.stringify({
    ...FEDERATED,
    token_url: `http://127.0.0.1:${String(port)}/v1/token`,
    credential_source: { file: token },
  });
  const mint = vertexMinting.mintOf(file, BASE);
  if (typeof mint !== 'function') throw new Error('it is not exchanged');
  const minted = await mint({
    nowMs: Date.now(),
    ask: () => Promise.reject(new Error('the library asks by itself')),
  });
  expect(minted).toMatchObject({ secret: 'ya29.federated' });
  expect(form.get('subject_token')).toBe('the token of the workload');
  expect(form.get('audience')).toBe(FEDERATED.audience);
});
