import type { Mint } from '../../minting.ts';
import { readTokenReply } from './service-account.ts';

/** The server that Google's machines have for themselves; the variable is that of its libraries. */
const DEFAULT_HOST = 'metadata.google.internal';
const TOKEN_PATH = '/computeMetadata/v1/instance/service-accounts/default/token';

/** Asks the metadata server for the token of the machine's own service account. */
export const mintFromMetadata: Mint = async ({ ask }) => {
  const host = process.env['GCE_METADATA_HOST'] ?? DEFAULT_HOST;
  const headers = ['metadata-flavor', 'Google'];
  const reply = await ask({ url: `http://${host}${TOKEN_PATH}`, headers, isLocal: true });
  return 'failed' in reply ? reply : readTokenReply(reply, 'The metadata server');
};
