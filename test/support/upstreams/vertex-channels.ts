import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { seal } from '../../../gateway/platform/secrets/secrets.ts';
import { TEST_SECRETS, seed, type Seeded } from '../seed.ts';

export interface VertexSeed {
  /** The base addresses of channels in order of priority. */
  readonly baseUrls: readonly string[];
  /** The credentials of all channels. */
  readonly credentials: readonly string[];
  readonly models: readonly { readonly publicId: string; readonly upstreamName: string }[];
}

/** A customer whose models are served by channels to Vertex AI. */
export async function seedVertex(
  pool: pg.Pool,
  { baseUrls, credentials, models }: VertexSeed,
): Promise<Seeded> {
  const seeded = await seed(pool, { upstreams: baseUrls, models });
  for (const channelId of seeded.channelIds) {
    await pool.query(`update channels set kind = 'vertex' where id = $1`, [channelId]);
    await pool.query('delete from channel_credentials where channel_id = $1', [channelId]);
    for (const credential of credentials) await addCredential(pool, channelId, credential);
  }
  return seeded;
}

export async function addCredential(
  pool: pg.Pool,
  channelId: string,
  credential: string,
): Promise<void> {
  await pool.query('insert into channel_credentials (id, channel_id, sealed) values ($1, $2, $3)', [
    randomUUID(),
    channelId,
    seal(TEST_SECRETS, credential),
  ]);
}
