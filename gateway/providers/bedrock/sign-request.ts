/**
 * AWS Signature Version 4, as Amazon Bedrock takes it
 * (docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
 */
import { createHmac, hash } from 'node:crypto';
import type { UnsignedRequest } from '../provider.ts';
import type { AccessKey } from './credential.ts';

/** Whom a signature is for, and when. */
export interface SigningScope {
  readonly region: string;
  /** `bedrock` of the runtime and the control plane, `bedrock-mantle` of Mantle. */
  readonly service: string;
  /** Since the epoch: AWS refuses a time that is more than five minutes off. */
  readonly nowMs: number;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const NO_BODY = Buffer.alloc(0);
const DATE_CHARACTERS = 8;

/** Returns names and values in turn of the headers that sign a request. */
export function signRequest(
  { method, host, path, contentType, body = NO_BODY }: UnsignedRequest,
  key: AccessKey,
  { region, service, nowMs }: SigningScope,
): string[] {
  const time = timeText(nowMs);
  const date = time.slice(0, DATE_CHARACTERS);
  const digest = hash('sha256', body, 'hex');
  const { sessionToken } = key;
  // Others are left out: proxies change them on the way.
  const token = sessionToken === undefined ? '' : `x-amz-security-token:${sessionToken}\n`;
  const signedHeaders = `content-type;host;x-amz-content-sha256;x-amz-date${token === '' ? '' : ';x-amz-security-token'}`;
  const query = path.indexOf('?');
  const canonical = `${method}
${canonicalPath(query === -1 ? path : path.slice(0, query))}
${query === -1 ? '' : canonicalQuery(path.slice(query + 1))}
content-type:${contentType}
host:${host}
x-amz-content-sha256:${digest}
x-amz-date:${time}
${token}
${signedHeaders}
${digest}`;
  const scope = `${date}/${region}/${service}/aws4_request`;
  const toSign = `${ALGORITHM}\n${time}\n${scope}\n${hash('sha256', canonical, 'hex')}`;
  const signingKey = signingKeyOf(key.secretAccessKey, { date, region, service });
  const signature = createHmac('sha256', signingKey).update(toSign).digest('hex');
  return [
    'authorization',
    `${ALGORITHM} Credential=${key.accessKeyId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
    'x-amz-date',
    time,
    'x-amz-content-sha256',
    digest,
    ...(sessionToken === undefined ? [] : ['x-amz-security-token', sessionToken]),
  ];
}

let second = -1;
let textOfSecond = '';

/** `20261128T100000Z`; formatting it costs as much as a hash, and many requests share a second. */
function timeText(nowMs: number): string {
  const now = Math.floor(nowMs / 1_000);
  if (now !== second) {
    second = now;
    textOfSecond = new Date(nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  }
  return textOfSecond;
}

/** Escapes as RFC 3986 has it: everything but letters, digits, `-`, `.`, `_` and `~`. */
export function escapeComponent(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, escapeLetter);
}

function escapeLetter(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** A path that is escaped on the wire, and so is ASCII, is escaped once more in what is signed. */
function canonicalPath(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/[^\w./~-]/g, escapeLetter);
}

function canonicalQuery(query: string): string {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const [name, value] =
        equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
      return [escapeComponent(unescaped(name)), escapeComponent(unescaped(value))] as const;
    })
    .toSorted(([a, one], [b, other]) => byCode(a, b) || byCode(one, other))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function byCode(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

interface KeyScope {
  readonly date: string;
  readonly region: string;
  readonly service: string;
}

/** Channels have a few credentials each; temporary ones change by the hour. */
const SIGNING_KEYS_MAX = 1_000;
/** By secret and scope. A new day empties it: the keys of yesterday sign nothing any more. */
const signingKeys = new Map<string, Buffer>();
let keysOfDate = '';

/** The key that signs for one day, region and service; deriving it takes four HMACs. */
function signingKeyOf(secret: string, { date, region, service }: KeyScope): Buffer {
  if (date !== keysOfDate || signingKeys.size >= SIGNING_KEYS_MAX) {
    signingKeys.clear();
    keysOfDate = date;
  }
  const name = `${secret} ${region} ${service}`;
  let key = signingKeys.get(name);
  if (key === undefined) {
    key = [region, service, 'aws4_request'].reduce(hmac, hmac(`AWS4${secret}`, date));
    signingKeys.set(name, key);
  }
  return key;
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
