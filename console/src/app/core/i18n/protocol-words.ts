import type { ProtocolId, UpstreamProtocolId } from '@weir/shared/catalog/protocols';
import type { PlainKey, Translate } from './i18n';

/** A protocol in the words of people; null where a record of a former version names none. */
export function protocolWord(protocol: UpstreamProtocolId | null): PlainKey | null {
  return protocol === null ? null : `protocol.${protocol}`;
}

/** Returns the tools that a group is for; null if it is for all. */
export function toolsFor(protocols: readonly ProtocolId[] | null, t: Translate): string | null {
  if (protocols === null) return null;
  return t('keys.groupFor', { tools: protocols.map((id) => t(`protocolTools.${id}`)).join(', ') });
}
