import type { SignOnPreset } from '@weir/shared/people/sign-on-presets';
import { refusePrivateAddress } from '../../../data-plane/upstream/address-guard.ts';
import { refuse, type Refusal } from '../../../platform/errors/refusal.ts';
import type { AdminContext } from '../../api/context.ts';

const param = 'issuer';
const DISCOVERY = /\/\.well-known\/(openid-configuration|oauth-authorization-server)\/?$/;

/** Tenants of Entra that stand for every tenant: any of them could then name any address. */
const EVERY_TENANT =
  /^https:\/\/login\.microsoftonline\.com\/+(common|organizations|consumers)(\/|$)/i;

function refuseIssuer(preset: SignOnPreset, url: URL): Refusal | undefined {
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return refuse('invalid_value', 'An issuer has no password, query or fragment.', { param });
  }
  if (EVERY_TENANT.test(url.href)) {
    return refuse(
      'invalid_value',
      'This issuer is for people of every tenant. Enter the id of your own tenant in place of it.',
      { param },
    );
  }
  const isGoogle = url.hostname === 'accounts.google.com';
  if (preset === 'google' && !isGoogle) {
    return refuse('invalid_value', 'The issuer of Google is https://accounts.google.com.', {
      param,
    });
  }
  return undefined;
}

/**
 * Returns an issuer as providers name themselves, or the refusal of one that cannot be used. People
 * often copy the address of the discovery document.
 */
export async function checkIssuer(
  { config }: AdminContext,
  provider: {
    readonly preset: SignOnPreset;
    readonly issuer: string;
    readonly allowPrivate: boolean;
  },
): Promise<string | Refusal> {
  const { preset, allowPrivate } = provider;
  const written = provider.issuer.trim().replace(DISCOVERY, '');
  if (!URL.canParse(written)) return refuse('invalid_value', 'This is not an address.', { param });
  const url = new URL(written);
  const isAllowed = allowPrivate || config.allowPrivateUpstreams;
  const refused = refuseIssuer(preset, url);
  if (refused !== undefined) return refused;
  if (url.protocol !== 'https:' && !isAllowed) {
    return refuse(
      'invalid_value',
      'An issuer begins with "https://". Plain http is for providers with a private address alone.',
      { param },
    );
  }
  if ((await refusePrivateAddress(written, isAllowed)) !== undefined) {
    return refuse(
      'address_refused',
      `${url.hostname} is a loopback, link-local or private address. Use a public address, or allow private addresses for this provider.`,
      { param },
    );
  }
  return preset === 'github' ? written.replace(/\/+$/, '') : written;
}
