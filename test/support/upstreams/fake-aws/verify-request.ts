/**
 * Authenticates requests: API keys of Bedrock, and signatures, checked by the AWS SDK's own signer.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { SessionIssuer } from './sessions.ts';
import type { AwsError } from './aws-error.ts';

/** The credentials of the fake's account. */
export const API_KEY = 'ABSKQmVkcm9ja0FQSUtleS1leGFtcGxlLWF0LTEyMzQ1Njc4OTAxMjpFWEFNUExF';
export const ACCESS_KEY_ID = 'AKIAIOSFODNN7EXAMPLE';
export const SECRET_ACCESS_KEY = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
export const SESSION_KEY_ID = 'ASIAIOSFODNN7EXAMPLE';
export const SESSION_TOKEN = 'IQoJb3JpZ2luX2VjEXAMPLE//////////wEaCXVzLWVhc3QtMSJHMEUCIQ==';
const EXPIRED_TOKEN = 'IQoJb3JpZ2luX2VjEXPIRED==';
export const SESSION_KEY = `${SESSION_KEY_ID}:${SECRET_ACCESS_KEY}:${SESSION_TOKEN}`;
export const EXPIRED_KEY = `${SESSION_KEY_ID}:${SECRET_ACCESS_KEY}:${EXPIRED_TOKEN}`;
export const ACCESS_KEY = `${ACCESS_KEY_ID}:${SECRET_ACCESS_KEY}`;

const REGION = 'us-east-1';
const CLOCK_SKEW_MS_MAX = 5 * 60_000;
/** AWS signs no request without these. */
const MUST_SIGN = ['host', 'x-amz-date'];

class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytes(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytes(data));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new Error('not used');
  }
}

function bytes(data: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof data === 'string') return Buffer.from(data);
  return ArrayBuffer.isView(data)
    ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
    : Buffer.from(data);
}

export interface RawRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

const refused = (type: string, message: string): AwsError => ({ status: 403, type, message });

/** Returns AWS' refusal of a request whose sender is not known; undefined when it is. */
export async function refuseSender(
  request: RawRequest,
  services: readonly string[],
  sessions: Pick<SessionIssuer, 'stateOf'>,
): Promise<AwsError | undefined> {
  const header =
    text(request.headers['authorization']) || `x ${text(request.headers['x-api-key'])}`;
  if (header.trim() === 'x') {
    return refused('MissingAuthenticationTokenException', 'Missing Authentication Token');
  }
  if (!header.startsWith('AWS4-HMAC-SHA256 ')) {
    return header.endsWith(` ${API_KEY}`)
      ? undefined
      : refused(
          'AccessDeniedException',
          'Authentication failed: Please make sure your API Key is valid.',
        );
  }
  return refuseSignature(request, header, services, sessions);
}

async function refuseSignature(
  { method, url, headers, body }: RawRequest,
  header: string,
  services: readonly string[],
  sessions: Pick<SessionIssuer, 'stateOf'>,
): Promise<AwsError | undefined> {
  const fields =
    /Credential=(\w+)\/(\d{8})\/([\w-]+)\/([\w-]+)\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/.exec(
      header,
    );
  if (fields === null) {
    return { status: 400, type: 'IncompleteSignatureException', message: 'Authorization header.' };
  }
  const [, id = '', , region = '', service = '', names = '', signature = ''] = fields;
  const token = text(headers['x-amz-security-token']);
  const session = token === EXPIRED_TOKEN ? 'expired' : sessions.stateOf(token);
  const isKnown =
    id === ACCESS_KEY_ID ? token === '' : id === SESSION_KEY_ID && session === 'valid';
  if (session === 'expired') {
    return refused(
      'ExpiredTokenException',
      'The security token included in the request is expired',
    );
  }
  if (!isKnown) {
    return refused(
      'UnrecognizedClientException',
      'The security token included in the request is invalid.',
    );
  }
  if (region !== REGION || !services.includes(service)) {
    return refused(
      'InvalidSignatureException',
      `Credential should be scoped to a valid region and service, not '${region}/${service}'.`,
    );
  }
  const time = text(headers['x-amz-date']);
  const date = new Date(
    time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  );
  if (!(Math.abs(date.getTime() - Date.now()) <= CLOCK_SKEW_MS_MAX)) {
    return refused('InvalidSignatureException', `Signature expired: ${time} is now earlier than …`);
  }
  const signed = names.split(';');
  const expected = await signatureOf({
    method,
    url,
    headers,
    body,
    signed,
    date,
    service,
    token,
    id,
  });
  const isRight =
    MUST_SIGN.every((name) => signed.includes(name)) &&
    timingSafeEqual(Buffer.from(expected), Buffer.from(signature));
  return isRight
    ? undefined
    : refused(
        'InvalidSignatureException',
        'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
      );
}

interface Signed extends RawRequest {
  readonly signed: readonly string[];
  readonly date: Date;
  readonly service: string;
  readonly token: string;
  readonly id: string;
}

async function signatureOf(request: Signed): Promise<string> {
  const { method, url, headers, body, signed, date, service, token, id } = request;
  const signer = new SignatureV4({
    credentials: {
      accessKeyId: id,
      secretAccessKey: SECRET_ACCESS_KEY,
      ...(token === '' ? {} : { sessionToken: token }),
    },
    region: REGION,
    service,
    sha256: Sha256,
  });
  const [path = '', search = ''] = url.split('?');
  // The digest is computed from the body that has come, whatever the header says of it.
  const own = new Set(['x-amz-content-sha256', 'x-amz-date', 'x-amz-security-token']);
  const names = signed.filter((name) => !own.has(name));
  const result = await signer.sign(
    {
      method,
      protocol: 'https:',
      hostname: text(headers['host']),
      path,
      query: Object.fromEntries(new URLSearchParams(search)),
      headers: Object.fromEntries(names.map((name) => [name, text(headers[name])])),
      body,
    },
    { signingDate: date, signableHeaders: new Set(names) },
  );
  return /Signature=([0-9a-f]{64})/.exec(result.headers['authorization'] ?? '')?.[1] ?? '';
}

function text(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : (value?.[0] ?? '');
}
