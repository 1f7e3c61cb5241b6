import { ConfigError } from '../../platform/config/config.ts';

/** OpenSSL's codes, as Node.js has them, for a certificate that is not trusted. */
const UNTRUSTED: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * Opens a store at the start. One that cannot be reached is most often a wrong address: the error
 * says which variable holds it, and what to do about a certificate.
 */
export async function explainConnectError<T>(
  variable: 'DATABASE_URL' | 'REDIS_URL',
  store: string,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const reason = error instanceof Error && error.message !== '' ? error.message : 'no answer';
    throw new ConfigError(`${store} cannot be used (${reason}). ${adviceFor(variable, error)}`);
  }
}

function adviceFor(variable: 'DATABASE_URL' | 'REDIS_URL', error: unknown): string {
  const isUntrusted = error instanceof Error && 'code' in error && UNTRUSTED.has(error.code);
  if (!isUntrusted) return `Check that it runs and that ${variable} is its address.`;
  const authority =
    'No authority that this machine trusts has signed its certificate. Set NODE_EXTRA_CA_CERTS to the file of the one that has';
  if (variable === 'REDIS_URL') return `${authority}.`;
  return `${authority}, or add sslrootcert=<file> to DATABASE_URL. sslmode=no-verify encrypts without a check of the certificate.`;
}
