import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { causeOf } from '../../platform/errors/cause-of.ts';
import type { MintedSecret, MintFailure } from '../minting.ts';

/** Keys that name no end, such as those of an environment, are read again after this time. */
const LIFETIME_MS = 3_600_000;

/**
 * Asks the environment, the profile, web identity, the container and the instance, in AWS's order.
 * @param profile of the machine's configuration; undefined: the default one
 */
export async function mintFromChain(
  profile: string | undefined,
  nowMs: number,
): Promise<MintedSecret | MintFailure> {
  try {
    // A provider remembers what it got; a new one asks again.
    const provide = defaultProvider(profile === undefined ? {} : { profile });
    const { accessKeyId, secretAccessKey, sessionToken, expiration } = await provide();
    const parts = [accessKeyId, secretAccessKey, ...(sessionToken ? [sessionToken] : [])];
    const lifetimeMs = expiration === undefined ? LIFETIME_MS : expiration.getTime() - nowMs;
    return { secret: parts.join(':'), lifetimeMs };
  } catch (error) {
    const whose = profile === undefined ? '' : ` for the profile "${profile}"`;
    return { failed: `AWS gave no keys${whose}: ${causeOf(error)}` };
  }
}
