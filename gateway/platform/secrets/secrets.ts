import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { OpaqueIdKeys } from './opaque-id.ts';

/**
 * Keys derived from SECRET_KEY, one per purpose, so that no purpose can be turned against another.
 */
export interface Secrets {
  /** Keys of the HMAC under which API keys are stored: the one in force, then the previous one. */
  readonly digestKeys: readonly [Buffer, ...Buffer[]];
  readonly seals: readonly SealKey[];
  /** Keys of the content log, in the same order; those of accounts are derived from them. */
  readonly contentKeys: readonly SealKey[];
  /** Keys of the check letters that API keys end in, in the same order. */
  readonly checkKeys: readonly [Buffer, ...Buffer[]];
  /** Keys of the ids under which clients know stored replies, in the same order. */
  readonly replyIdKeys: readonly [OpaqueIdKeys, ...OpaqueIdKeys[]];
}

export interface SealKey {
  /**
   * Names the key inside sealed values, so that values sealed before a change of SECRET_KEY are
   * recognised.
   */
  readonly id: string;
  readonly key: Buffer;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';
const DIGEST_PURPOSE = 'api-key-digest';
const CHECK_PURPOSE = 'api-key-check-letters';

function derive(secretKey: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, 'weir', purpose, KEY_BYTES));
}

function sealKey(secretKey: string, purpose: 'seal' | 'content-log'): SealKey {
  const key = derive(secretKey, purpose);
  return { id: createHash('sha256').update(key).digest('base64url').slice(0, 8), key };
}

function replyIdKeys(secretKey: string): OpaqueIdKeys {
  return {
    mac: derive(secretKey, 'stored-reply-id-mac'),
    cipher: derive(secretKey, 'stored-reply-id-cipher'),
  };
}

/**
 * `previous` is the SECRET_KEY before a change: values it sealed can be opened, nothing new is
 * sealed with it.
 */
export function deriveSecrets(secretKey: string, previous: string | null = null): Secrets {
  const older = previous === null ? [] : [previous];
  return {
    digestKeys: [
      derive(secretKey, DIGEST_PURPOSE),
      ...older.map((key) => derive(key, DIGEST_PURPOSE)),
    ],
    seals: [secretKey, ...older].map((key) => sealKey(key, 'seal')),
    contentKeys: [secretKey, ...older].map((key) => sealKey(key, 'content-log')),
    checkKeys: [
      derive(secretKey, CHECK_PURPOSE),
      ...older.map((key) => derive(key, CHECK_PURPOSE)),
    ],
    replyIdKeys: [replyIdKeys(secretKey), ...older.map(replyIdKeys)],
  };
}

/** Encrypts with AES-256-GCM: "v1.<key id>.<nonce><tag><ciphertext>", base64url. */
export function seal(secrets: Secrets, plain: string): string {
  const [current] = secrets.seals;
  if (current === undefined) throw new Error('no key to seal with');
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', current.key, nonce);
  const ciphertext = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  const body = Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url');
  return `${VERSION}.${current.id}.${body}`;
}

/**
 * Decrypts what `seal` made. Throws when it was sealed under an unknown key or has been altered.
 */
export function unseal(secrets: Secrets, sealed: string): string {
  const [version, id, body] = sealed.split('.');
  const found = secrets.seals.find((candidate) => candidate.id === id);
  if (version !== VERSION || found === undefined || body === undefined) {
    throw new Error('encrypted under an unknown SECRET_KEY; set SECRET_KEY_PREVIOUS to it');
  }
  const bytes = Buffer.from(body, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', found.key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const plain = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([plain, decipher.final()]).toString('utf8');
}

/**
 * True when a value was sealed under the SECRET_KEY in force, false when it should be sealed again.
 */
export function isSealedCurrently(secrets: Secrets, sealed: string): boolean {
  return sealed.split('.')[1] === secrets.seals[0]?.id;
}
