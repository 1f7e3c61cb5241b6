import type { UpstreamKind } from '@weir/shared/catalog/channels';
import type pg from 'pg';
import { insertPrice } from '../control-plane/prices/write-price.ts';
import { newRequestId } from '../platform/ids/request-id.ts';
import { DEMO_CHANNEL } from './demo-channel.ts';
import type { PlannedModel } from './plan-catalog.ts';
import { LISTED_GROUPS } from '../pricing/price-list.ts';

export interface SeedUpstream {
  readonly kind: UpstreamKind;
  readonly baseUrl: string;
  /** Null: those that are usual for its kind. */
  readonly protocols: readonly string[] | null;
  /** Null for an upstream that asks for none. */
  readonly sealedCredential: string | null;
  readonly credentialHint: string;
}

export interface SeedCatalog {
  readonly models: readonly PlannedModel[];
  /** The upstream that serves all models; null makes no channel. */
  readonly upstream: SeedUpstream | 'demo' | null;
}

const INSERT_GROUP = `
  insert into groups (id, name, description, sort_order) values ($1, $2, $3, $4)`;

const INSERT_MODEL = `
  insert into models (id, public_id, display_name, vendor, context_tokens_max, output_tokens_max, capabilities,
                      status, sort_order)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

const INSERT_MEMBERSHIPS = `
  insert into group_models (group_id, model_id) select id, $1 from groups where name = any ($2)`;

/** The operator set the address, so it may be a private one. */
const INSERT_CHANNEL = `
  insert into channels (id, name, kind, base_url, protocols, allow_private)
  values ($1, $2, $3, $4, $5, true)`;

const INSERT_CREDENTIAL = `
  insert into channel_credentials (id, channel_id, sealed, hint) values ($1, $2, $3, $4)`;

const INSERT_SERVED = `
  insert into channel_models (channel_id, model_id, upstream_name)
  select $1, id, public_id from models where status = 'active'`;

/** Writes groups, models, prices and the first channel, in the transaction of `client`. */
export async function seedCatalog(client: pg.PoolClient, seed: SeedCatalog): Promise<void> {
  for (const [index, { name, description }] of LISTED_GROUPS.entries()) {
    await client.query(INSERT_GROUP, [newId(), name, description, index]);
  }
  for (const [index, model] of seed.models.entries()) await insertModel(client, model, index);
  if (seed.upstream !== null) await insertChannel(client, seed.upstream);
}

async function insertModel(
  client: pg.PoolClient,
  model: PlannedModel,
  sortOrder: number,
): Promise<void> {
  const id = newId();
  await client.query(INSERT_MODEL, [
    id,
    model.publicId,
    model.displayName,
    model.vendor,
    model.contextTokensMax,
    model.outputTokensMax,
    model.capabilities,
    model.served ? 'active' : 'disabled',
    sortOrder,
  ]);
  await insertPrice(client, { modelId: id, price: model, effectiveFrom: null });
  await client.query(INSERT_MEMBERSHIPS, [id, model.groups]);
}

async function insertChannel(
  client: pg.PoolClient,
  upstream: SeedUpstream | 'demo',
): Promise<void> {
  const id = newId();
  if (upstream === 'demo') {
    const { name, nowhereUrl } = DEMO_CHANNEL;
    await client.query(INSERT_CHANNEL, [id, name, 'demo', nowhereUrl, null]);
  } else {
    const baseUrl = upstream.baseUrl.replace(/\/+$/, '');
    const { kind, protocols } = upstream;
    await client.query(INSERT_CHANNEL, [id, 'upstream', kind, baseUrl, protocols]);
    if (upstream.sealedCredential !== null) {
      const { sealedCredential, credentialHint } = upstream;
      await client.query(INSERT_CREDENTIAL, [newId(), id, sealedCredential, credentialHint]);
    }
  }
  await client.query(INSERT_SERVED, [id]);
}

function newId(): string {
  return newRequestId(Date.now());
}
