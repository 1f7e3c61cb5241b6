import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OpaqueIdKeys } from './opaque-id.ts';

/** 96 bits in hexadecimal digits: no client guesses them. */
const DIGITS = 24;
const SIGNATURE = /_w[0-9a-f]{24}$/;
const SIGNATURE_LENGTH = '_w'.length + DIGITS;

/** Puts a signature behind an id that may be read, by which its owner can refer to it again. */
export function signId({ mac }: OpaqueIdKeys, id: string, owner: string): string {
  const digest = createHmac('sha256', mac).update(`signed\n${owner}\n${id}`).digest('hex');
  return `${id}_w${digest.slice(0, DIGITS)}`;
}

export function isSignedId(id: unknown): id is string {
  return typeof id === 'string' && SIGNATURE.test(id);
}

/** The id without its signature, whosever that is. */
export function bareId(id: string): string {
  return isSignedId(id) ? id.slice(0, -SIGNATURE_LENGTH) : id;
}

/** Reports whether a signed id belongs to an owner. */
export function isOwnId(keys: OpaqueIdKeys, id: string, owner: string): boolean {
  if (!isSignedId(id)) return false;
  const own = signId(keys, bareId(id), owner);
  return timingSafeEqual(Buffer.from(own), Buffer.from(id));
}
