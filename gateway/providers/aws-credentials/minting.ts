import type { Minting } from '../minting.ts';

/** Whatever identity the machine or its configuration has: see `defaultProvider` of AWS. */
const ROLE = 'role';
const PROFILE = /^profile:([\w.+@-]+)$/;

/** What the machine's own identity is sent to: nothing but AWS, or what is on this machine. */
const OWN_IDENTITY_HOST =
  /(?:^|\.)(?:amazonaws\.com|amazonaws\.com\.cn|api\.aws)$|^127\.0\.0\.1$|^localhost$/;

const HAS_SPACES =
  'A credential of AWS has no spaces. Enter one for each line: an API key, an access key as id:secret, or "role".';
const OTHER_HOST = { failed: 'The machine’s own identity is used for hosts of AWS alone.' };

/**
 * `role` and `profile:{name}` are exchanged for temporary keys, written as
 * `{access key}:{secret}:{session token}`; keys are used as they are.
 */
export const awsMinting: Minting = {
  mintOf: (credential, baseUrl) => {
    const profile = PROFILE.exec(credential)?.[1];
    if (credential !== ROLE && profile === undefined) return undefined;
    if (!isForOwnIdentity(baseUrl)) return OTHER_HOST;
    return async ({ nowMs }) => {
      // AWS's library is loaded by the main thread alone, and only where it is used.
      const { mintFromChain } = await import('./credential-chain.ts');
      return mintFromChain(profile, nowMs);
    };
  },
  read: (text) => {
    if (text === ROLE || PROFILE.test(text)) return { secret: text, hint: text };
    const secret = text.startsWith('{') ? text.replace(/\s+/g, '') : text;
    return /\s/.test(secret) ? { mistake: HAS_SPACES } : { secret };
  },
};

function isForOwnIdentity(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && OWN_IDENTITY_HOST.test(new URL(baseUrl).hostname);
}
