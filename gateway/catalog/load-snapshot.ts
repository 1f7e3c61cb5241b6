import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { unseal, type Secrets } from '../platform/secrets/secrets.ts';
import { SETTINGS_SQL } from './channel-columns.ts';
import type { CatalogSnapshot, ChannelEntry, GroupEntry, ModelEntry } from './snapshot.ts';

const sql = (name: string): string =>
  readFileSync(new URL(`./sql/${name}.sql`, import.meta.url), 'utf8');

const GROUPS = sql('groups');
const MODELS = sql('models');
const CHANNELS = sql('channels').replaceAll('{settings}', SETTINGS_SQL);
const UNCHECKED_KEYS = sql('unchecked-keys');
const NEXT_PRICE = `select min(effective_from) as at from prices where effective_from > now()`;

/**
 * Beyond this many keys without check letters every key is looked up; their prefixes would fill
 * each thread's memory.
 */
const UNCHECKED_KEYS_MAX = 10_000;

type SealedChannel = Omit<ChannelEntry, 'credentials'> & { readonly sealed: readonly string[] };

export interface LoadedCatalog {
  readonly snapshot: CatalogSnapshot;
  /** The time at which the next dated price comes into force and the snapshot has to be rebuilt. */
  readonly nextPriceAt: Date | null;
}

export interface LoadOptions {
  readonly version: number;
  readonly secrets: Secrets;
  /**
   * Gets the name of a channel whose credential cannot be opened: it is taken out of service, and
   * the gateway goes on with the others.
   */
  readonly onUnreadable: (channel: string) => void;
}

/** Reads the current catalog. */
export async function loadSnapshot(pool: pg.Pool, options: LoadOptions): Promise<LoadedCatalog> {
  // Before the prices are read: one that comes into force in between is in the snapshot, and the
  // next is only made once more. The other way round it would be in neither, and the former price
  // go on for ever.
  const next = await pool.query<{ at: Date | null }>(NEXT_PRICE);
  const groups = await pool.query<GroupEntry>(GROUPS);
  const models = await pool.query<ModelEntry>(MODELS);
  const channels = await pool.query<SealedChannel>(CHANNELS);
  const unchecked = await pool.query<{ prefix: string }>(UNCHECKED_KEYS, [UNCHECKED_KEYS_MAX + 1]);
  return {
    snapshot: {
      version: options.version,
      groups: groups.rows,
      models: models.rows,
      channels: channels.rows.flatMap((row) => openChannel(row, options)),
      uncheckedKeyPrefixes:
        unchecked.rows.length > UNCHECKED_KEYS_MAX
          ? ['']
          : unchecked.rows.map(({ prefix }) => prefix),
    },
    nextPriceAt: next.rows[0]?.at ?? null,
  };
}

function openChannel(
  { sealed, ...channel }: SealedChannel,
  { secrets, onUnreadable }: LoadOptions,
): ChannelEntry[] {
  try {
    const credentials = sealed.map((value) => unseal(secrets, value));
    return [{ ...channel, baseUrl: channel.baseUrl.replace(/\/+$/, ''), credentials }];
  } catch {
    onUnreadable(channel.name);
    return [];
  }
}
