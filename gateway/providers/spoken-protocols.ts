import type { UpstreamProtocolId } from '../protocols/protocol.ts';
import type { Provider } from './provider.ts';

/** The names of a model at an upstream. */
export interface ModelNames {
  readonly upstreamModel: string;
  /** The public ID of the catalog's model; absent where an upstream is asked without one. */
  readonly publicId?: string | undefined;
}

/** Where a model is asked for, as far as it decides what is spoken there. */
export interface SpokenAt extends ModelNames {
  /** Of the channel, without a trailing slash. */
  readonly baseUrl: string;
}

/**
 * Returns the protocols that a model can be spoken to in at a channel, the best first.
 * @param listed what the channel's operator has set; null: what is usual for its kind
 */
export function spokenProtocols(
  provider: Pick<Provider, 'speaks' | 'speaksTo' | 'maySpeak' | 'isOpaqueName'>,
  listed: readonly UpstreamProtocolId[] | null,
  { baseUrl, ...names }: SpokenAt,
): readonly UpstreamProtocolId[] {
  if (listed === null) {
    return provider.speaksTo?.(tellingName(provider, names), baseUrl) ?? provider.speaks;
  }
  const possible = provider.maySpeak ?? provider.speaks;
  return listed.filter((id) => possible.includes(id));
}

/**
 * Returns the name that says which model it is: the upstream's, or the catalog's where the
 * upstream's is opaque.
 */
export function tellingName(
  provider: Pick<Provider, 'isOpaqueName'>,
  { upstreamModel, publicId }: ModelNames,
): string {
  return provider.isOpaqueName?.(upstreamModel) === true
    ? (publicId ?? upstreamModel)
    : upstreamModel;
}
