/** TLS without certificates: both sides know a key. */
const KEY = Buffer.alloc(32, 7);
const SUITE = { ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const;

export const PSK_SERVER = { ...SUITE, pskCallback: () => KEY };

export const PSK_CLIENT = {
  ...SUITE,
  pskCallback: () => ({ psk: KEY, identity: 'test' }),
  checkServerIdentity: () => undefined,
};
