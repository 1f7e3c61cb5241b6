import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import type { Secrets } from '../platform/secrets/secrets.ts';

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The length of the request, in front of both. */
const LENGTH_BYTES = 4;

/** The request that content belongs to: it cannot be opened as that of another one. */
export interface ContentOwner {
  readonly requestId: string;
  readonly accountId: string;
}

/** A request and its reply as they passed. */
export interface Content {
  readonly request: Uint8Array;
  readonly reply: Uint8Array;
}

export interface SealedContent {
  /** Names the key, so that content from before a change of SECRET_KEY is recognised. */
  readonly sealId: string;
  /** Nonce, tag and ciphertext. */
  readonly sealed: Buffer;
}

/** Compresses, on libuv's threads, and encrypts with AES-256-GCM. */
export async function sealContent(
  secrets: Pick<Secrets, 'contentKeys'>,
  owner: ContentOwner,
  { request, reply }: Content,
): Promise<SealedContent> {
  const [current] = secrets.contentKeys;
  if (current === undefined) throw new Error('no key to encrypt content with');
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(request.length);
  // Fast rather than small: prompts shrink to a third at every level.
  const compressed = await deflate(Buffer.concat([length, request, reply]), {
    level: constants.Z_BEST_SPEED,
  });
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', accountKey(current.key, owner), nonce);
  cipher.setAAD(boundTo(owner));
  const ciphertext = [cipher.update(compressed), cipher.final()];
  const sealed = Buffer.concat([nonce, cipher.getAuthTag(), ...ciphertext]);
  return { sealId: current.id, sealed };
}

/**
 * Decrypts content. Undefined when it was encrypted under a SECRET_KEY that is not known any more.
 * Rejects when the row was altered, or is that of another request.
 */
export async function openContent(
  secrets: Pick<Secrets, 'contentKeys'>,
  owner: ContentOwner,
  { sealId, sealed }: SealedContent,
): Promise<{ readonly request: Buffer; readonly reply: Buffer } | undefined> {
  const found = secrets.contentKeys.find(({ id }) => id === sealId);
  if (found === undefined) return undefined;
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', accountKey(found.key, owner), nonce);
  decipher.setAAD(boundTo(owner));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const compressed = Buffer.concat([
    decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)),
    decipher.final(),
  ]);
  const both = await inflate(compressed);
  const replyAt = LENGTH_BYTES + both.readUInt32BE();
  return { request: both.subarray(LENGTH_BYTES, replyAt), reply: both.subarray(replyAt) };
}

/**
 * A key for each account: random nonces are safe for 2^32 messages under one key (NIST SP 800-38D,
 * 8.3), which one account stays far below.
 */
function accountKey(key: Buffer, { accountId }: ContentOwner): Buffer {
  return Buffer.from(hkdfSync('sha256', key, accountId, 'content-log', KEY_BYTES));
}

function boundTo({ requestId, accountId }: ContentOwner): Buffer {
  return Buffer.from(`${accountId} ${requestId}`);
}
