import { CLIENT_PROTOCOLS, type ClientProtocol } from '@weir/shared/models';
import type { ProtocolId } from '../../protocols/protocol.ts';
import { codecsFor, protocolOf } from '../../protocols/registry.ts';
import type { ProviderKind } from '../../providers/provider.ts';
import { providerOf } from '../../providers/registry.ts';
import { spokenProtocols } from '../../providers/spoken-protocols.ts';
import type { Database } from '../api/transaction.ts';

/** The way of a channel to its upstream, as far as it decides which protocols clients may use. */
interface ChannelWay {
  readonly id: string;
  readonly kind: ProviderKind;
  readonly protocols: readonly ProtocolId[] | null;
}

const ACTIVE = `select id::text, kind, protocols from channels where status = 'active'`;

/**
 * Nothing in the catalog tells a model of embeddings from one that generates, and a channel may
 * serve both. All vendors name them so.
 */
const EMBEDS = /embed/i;

function protocolsOf({ kind, protocols }: ChannelWay): ClientProtocol[] {
  const spoken = spokenProtocols(providerOf(kind), protocols);
  return CLIENT_PROTOCOLS.filter((id) => codecsFor(protocolOf(id), spoken).length > 0);
}

/** Reads the channels, and returns what requests for a model can be written in. */
export async function readClientProtocols(
  db: Database,
): Promise<(publicId: string, channelIds: readonly string[]) => ClientProtocol[]> {
  const { rows } = await db.query<ChannelWay>(ACTIVE);
  const byChannel = new Map(rows.map((channel) => [channel.id, protocolsOf(channel)]));
  return (publicId, channelIds) => {
    const possible = new Set(channelIds.flatMap((id) => byChannel.get(id) ?? []));
    const embeds = EMBEDS.test(publicId);
    return CLIENT_PROTOCOLS.filter(
      (id) => possible.has(id) && (id === 'openai-embeddings') === embeds,
    );
  };
}
