import { CLIENT_PROTOCOLS, type ClientProtocol } from '@weir/shared/catalog/models';
import type { ModelWay } from '../../catalog/channel-codecs.ts';
import { modelEndpoints } from '../../catalog/model-endpoints.ts';
import type { Database } from '../api/transaction.ts';

const ACTIVE = `
  select m.public_id as "publicId", cm.upstream_name as "upstreamModel",
    jsonb_build_object('kind', c.kind, 'baseUrl', c.base_url, 'protocols', c.protocols) as channel
  from channel_models cm
  join channels c on c.id = cm.channel_id and c.status = 'active'
  join models m on m.id = cm.model_id`;

/**
 * Reads the ways to all models, and returns what requests for a model can be written in.
 */
export async function readClientProtocols(
  db: Database,
): Promise<(publicId: string) => ClientProtocol[]> {
  const { rows } = await db.query<ModelWay & { readonly publicId: string }>(ACTIVE);
  const byModel = Map.groupBy(rows, ({ publicId }) => publicId);
  return (publicId) => {
    const ways = byModel.get(publicId) ?? [];
    const ids = new Set(modelEndpoints(publicId, ways).map(({ protocol }) => protocol.id));
    return CLIENT_PROTOCOLS.filter((id) => ids.has(id));
  };
}
