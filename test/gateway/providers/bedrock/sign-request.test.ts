import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { AwsV4Signer } from 'aws4fetch';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAccessKey, type AccessKey } from '../../../../gateway/providers/bedrock/credential.ts';
import {
  escapeComponent,
  signRequest,
  type SigningScope,
} from '../../../../gateway/providers/bedrock/sign-request.ts';
import type { UnsignedRequest } from '../../../../gateway/providers/provider.ts';

class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new Error('not used');
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data);
}

interface Signing {
  readonly request: UnsignedRequest;
  readonly key: AccessKey;
  readonly scope: SigningScope;
}

function ours({ request, key, scope }: Signing): string {
  const headers = signRequest(request, key, scope);
  return headers[headers.indexOf('authorization') + 1] ?? '';
}

async function byAws4fetch({ request, key, scope }: Signing): Promise<string> {
  const { sessionToken, accessKeyId, secretAccessKey } = key;
  const signer = new AwsV4Signer({
    method: request.method,
    url: `https://${request.host}${request.path}`,
    headers: {
      'content-type': request.contentType,
      'x-amz-content-sha256': createHash('sha256')
        .update(request.body ?? '')
        .digest('hex'),
    },
    ...(request.body === undefined ? {} : { body: request.body }),
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    region: scope.region,
    service: scope.service,
    datetime: new Date(scope.nowMs).toISOString().replace(/[:-]|\.\d{3}/g, ''),
    allHeaders: true,
  });
  return (await signer.sign()).headers.get('authorization') ?? '';
}

async function bySmithy({ request, key, scope }: Signing): Promise<string> {
  const { sessionToken, accessKeyId, secretAccessKey } = key;
  const signer = new SignatureV4({
    credentials: {
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === undefined ? {} : { sessionToken }),
    },
    region: scope.region,
    service: scope.service,
    sha256: Sha256,
  });
  const [path = '', search = ''] = request.path.split('?');
  const signed = await signer.sign(
    {
      method: request.method,
      protocol: 'https:',
      hostname: request.host,
      path,
      query: Object.fromEntries(new URLSearchParams(search)),
      headers: { host: request.host, 'content-type': request.contentType },
      body: request.body,
    },
    { signingDate: new Date(scope.nowMs) },
  );
  return signed.headers['authorization'] ?? '';
}

const SEGMENT = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 24 }).filter(
  // A path of dots leads elsewhere before it is signed; no model has such a name.
  (text) => !/^\.+$/.test(text),
);
const MODEL = fc.oneof(
  SEGMENT,
  fc.constantFrom(
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/ab12cd34ef56',
    "it's (a) 'test'!*~",
  ),
);
/** Without a plus sign, which readers of queries take for a space or for itself. */
const WORD = fc.stringMatching(/^[\w.:~!'()*-]{1,12}$/);
/** The other signers take the query as an object, which has no member of that name. */
const NAME = WORD.filter((name) => name !== '__proto__');
const QUERY = fc.dictionary(NAME, WORD, { maxKeys: 4, noNullPrototype: true });
const TEXT = fc.stringMatching(/^[A-Za-z0-9+/=]{8,60}$/);

const SIGNING = fc
  .record({
    method: fc.constantFrom('POST', 'GET', 'DELETE'),
    host: fc.constantFrom('bedrock-runtime.eu-west-1.amazonaws.com', 'gateway.internal'),
    models: fc.array(MODEL, { minLength: 1, maxLength: 3 }),
    query: QUERY,
    body: fc.option(fc.uint8Array({ maxLength: 300 }), { nil: undefined }),
    secretAccessKey: TEXT,
    sessionToken: fc.option(TEXT, { nil: undefined }),
    region: fc.constantFrom('us-east-1', 'ap-southeast-2'),
    service: fc.constantFrom('bedrock', 'bedrock-mantle'),
    nowMs: fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2040, 0) }),
  })
  .map(({ method, host, models, query, body, region, service, nowMs, ...key }): Signing => {
    const path = `/${models.map(escapeComponent).join('/')}/converse`;
    const search = new URLSearchParams(query).toString();
    return {
      request: {
        method,
        host,
        path: search === '' ? path : `${path}?${search}`,
        contentType: 'application/json',
        body: method === 'GET' ? undefined : body,
      },
      key: { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', region: undefined, ...key },
      scope: { region, service, nowMs },
    };
  });

describe('a signature', () => {
  it('is that of two other implementations', async () => {
    await fc.assert(
      fc.asyncProperty(SIGNING, async (signing) => {
        const mine = ours(signing);
        expect(mine).toBe(await byAws4fetch(signing));
        expect(mine).toBe(await bySmithy(signing));
      }),
      { numRuns: 200 },
    );
  });

  it('is made by the key of its day, and of its region', () => {
    const scope = {
      region: 'us-east-1',
      service: 'bedrock',
      nowMs: Date.UTC(2026, 10, 28, 23, 59),
    };
    const key = readAccessKey('AKIAIOSFODNN7EXAMPLE:secret');
    if (key === undefined) throw new Error('no access key');
    const request: UnsignedRequest = {
      method: 'POST',
      host: 'bedrock-runtime.us-east-1.amazonaws.com',
      path: '/model/a/invoke',
      contentType: 'application/json',
    };
    const day = ours({ request, key, scope });
    const next = ours({ request, key, scope: { ...scope, nowMs: scope.nowMs + 120_000 } });
    expect(next).toContain('/20261129/us-east-1/bedrock/');
    expect(ours({ request, key, scope: { ...scope, region: 'us-west-2' } })).not.toBe(day);
    // Back on the day before, as two threads' clocks may be.
    expect(ours({ request, key, scope })).toBe(day);
  });
});

describe('the text of a credential', () => {
  it.each([
    ['AKIAIOSFODNN7EXAMPLE:wJalr/XUt+nFEMI', 'wJalr/XUt+nFEMI', undefined, undefined],
    ['ASIAIOSFODNN7EXAMPLE:secret:FwoG//Zz+a==', 'secret', 'FwoG//Zz+a==', undefined],
    ['AKIAIOSFODNN7EXAMPLE:secret@eu-central-1', 'secret', undefined, 'eu-central-1'],
    ['ASIAIOSFODNN7EXAMPLE:secret:token@us-gov-west-1', 'secret', 'token', 'us-gov-west-1'],
    [
      '{"Credentials":{"AccessKeyId":"A","SecretAccessKey":"secret","SessionToken":"token"}}',
      'secret',
      'token',
      undefined,
    ],
    ['{"Version":1,"AccessKeyId":"A","SecretAccessKey":"secret"}', 'secret', undefined, undefined],
  ])('%s is an access key', (text, secretAccessKey, sessionToken, region) => {
    expect(readAccessKey(text)).toMatchObject({ secretAccessKey, sessionToken, region });
  });

  it.each([
    'ABSKQmVkcm9ja0FQSUtleS1hYmNk',
    'bedrock-api-key-YmVkcm9jaw==',
    'AKIAIOSFODNN7EXAMPLE',
    'AKIAIOSFODNN7EXAMPLE:',
    '{"AccessKeyId":"A"}',
    '{',
  ])('%s is none', (text) => {
    expect(readAccessKey(text)).toBeUndefined();
  });
});
