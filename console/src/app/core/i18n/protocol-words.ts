import type { ProtocolId } from '@weir/shared/protocols';
import type { PlainKey } from './i18n';

/** A protocol in the words of people; null where a record of a former version names none. */
export function protocolWord(protocol: ProtocolId | null): PlainKey | null {
  return protocol === null ? null : `protocol.${protocol}`;
}
