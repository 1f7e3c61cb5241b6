import { refuse, type Refusal } from '../../platform/errors/refusal.ts';

/** Refuses a client whose address is not among those that the key may be used from. */
export function refuseAddress(address: string): Refusal {
  return refuse(
    'ip_not_allowed',
    `This API key may not be used from ${address}. Add the address to the key’s allowlist on the console’s API Keys page.`,
  );
}
