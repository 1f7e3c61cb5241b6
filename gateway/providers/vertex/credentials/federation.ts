/**
 * Workload identity federation: the only credential that Google's own library exchanges, since its
 * tokens come from a dozen places.
 */
import { ExternalAccountClient, type ExternalAccountClientOptions } from 'google-auth-library';
import { causeOf } from '../../../platform/errors/cause-of.ts';
import type { JsonObject } from '../../../platform/json/json-value.ts';
import type { MintedSecret, MintFailure } from '../../minting.ts';
import { SCOPE } from './service-account.ts';

/** Makes a new client each time: when a token is renewed is not the library's decision. */
export async function mintByFederation(file: JsonObject): Promise<MintedSecret | MintFailure> {
  try {
    // The library checks the members itself.
    const client = ExternalAccountClient.fromJSON(
      file as ExternalAccountClientOptions & JsonObject,
    );
    if (client === null) return { failed: 'The file is no "external_account".' };
    client.scopes = [SCOPE];
    const { token } = await client.getAccessToken();
    const { expiry_date: expiresAtMs } = client.credentials;
    if (token == null || token === '' || expiresAtMs == null) {
      return { failed: 'Google returned no access token.' };
    }
    return { secret: token, lifetimeMs: expiresAtMs - Date.now() };
  } catch (error) {
    return { failed: `The credential cannot be exchanged: ${causeOf(error)}` };
  }
}
