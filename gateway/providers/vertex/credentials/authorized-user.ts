import type { Mint } from '../../minting.ts';
import { readTokenReply } from './service-account.ts';

/** What `gcloud auth application-default login` writes, as far as it is used. */
export interface AuthorizedUser {
  readonly client_id: string;
  readonly client_secret: string;
  readonly refresh_token: string;
  readonly token_uri: string;
}

/** Exchanges a refresh token (RFC 6749, 6). */
export function mintFromRefreshToken(user: AuthorizedUser): Mint {
  const { token_uri: url, ...fields } = user;
  return async ({ ask }) => {
    const reply = await ask({ url, form: { grant_type: 'refresh_token', ...fields } });
    return 'failed' in reply ? reply : readTokenReply(reply, 'The token endpoint');
  };
}
