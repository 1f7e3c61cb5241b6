import type { Mint, Minting } from '../../minting.ts';
import { readCredentialFile } from './read-file.ts';
import { readTokenReply } from './service-account.ts';

/** A credential that names the machine's own service account. */
export const METADATA = 'metadata';

/** What the machine's own identity is sent to: nothing but Vertex, or what is on this machine. */
const OWN_IDENTITY_HOST =
  /^(?:(?:[a-z0-9-]+-)?aiplatform\.googleapis\.com|aiplatform\.[a-z0-9-]+\.rep\.googleapis\.com|127\.0\.0\.1|localhost)$/;

const OTHER_HOST = {
  failed: 'The machine’s own identity is sent to aiplatform.googleapis.com alone.',
};

/** The server that Google's machines have for themselves; the variable is that of its libraries. */
const DEFAULT_HOST = 'metadata.google.internal';
const TOKEN_PATH = '/computeMetadata/v1/instance/service-accounts/default/token';

/** Asks the metadata server for the token of the machine's own service account. */
const mintFromMetadata: Mint = async ({ ask }) => {
  const host = process.env['GCE_METADATA_HOST'] ?? DEFAULT_HOST;
  const headers = ['metadata-flavor', 'Google'];
  const reply = await ask({ url: `http://${host}${TOKEN_PATH}`, headers, isLocal: true });
  return 'failed' in reply ? reply : readTokenReply(reply, 'The metadata server');
};

/** Key files, and `metadata`, are exchanged; API keys and access tokens are sent as they are. */
export const vertexMinting: Minting = {
  mintOf: (credential, baseUrl) => {
    if (credential === METADATA) return isForOwnIdentity(baseUrl) ? mintFromMetadata : OTHER_HOST;
    if (!credential.startsWith('{')) return undefined;
    const file = readCredentialFile(credential);
    return typeof file === 'string' ? { failed: file } : file.mint;
  },
  read: (text) => {
    if (text === METADATA) return { secret: text, hint: text };
    if (!text.startsWith('{')) return { secret: text };
    const file = readCredentialFile(text);
    if (typeof file === 'string') return { mistake: file };
    return { secret: JSON.stringify(file.members), hint: file.hint };
  },
};

function isForOwnIdentity(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && OWN_IDENTITY_HOST.test(new URL(baseUrl).hostname);
}
