import { CLIENT_PROTOCOLS, type ClientProtocol } from '@weir/shared/models';
import type { ChannelWay } from '../../catalog/channel-codecs.ts';
import { modelEndpoints } from '../../catalog/model-endpoints.ts';
import type { Database } from '../api/transaction.ts';

const ACTIVE = `select id::text, kind, protocols from channels where status = 'active'`;

/** Reads the channels, and returns what requests for a model can be written in. */
export async function readClientProtocols(
  db: Database,
): Promise<(publicId: string, channelIds: readonly string[]) => ClientProtocol[]> {
  const { rows } = await db.query<ChannelWay & { readonly id: string }>(ACTIVE);
  const byId = new Map(rows.map((channel) => [channel.id, channel]));
  return (publicId, channelIds) => {
    const channels = channelIds.flatMap((id) => byId.get(id) ?? []);
    const ids = new Set(modelEndpoints(publicId, channels).map(({ protocol }) => protocol.id));
    return CLIENT_PROTOCOLS.filter((id) => ids.has(id));
  };
}
