import type pg from 'pg';
import { isUsableKey, recallDemoKey } from '../seed/demo-key.ts';
import type { FirstStart } from '../seed/first-start.ts';
import type { Config } from '../platform/config/config.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';

/**
 * A key to show at the terminal: the one that was made just now, or at a later start with the
 * embedded database the one that was kept then, as long as it works. Null with a database of one's
 * own: its keys are stored nowhere.
 */
export async function shownKey(
  { config, pool, secrets }: { config: Config; pool: pg.Pool; secrets: Secrets },
  first: FirstStart | null,
): Promise<string | null> {
  if (first !== null) return first.apiKey;
  if (config.databaseUrl !== null) return null;
  const key = config.bootstrapApiKey ?? recallDemoKey(config.dataDir);
  return key !== null && (await isUsableKey(pool, secrets, key)) ? key : null;
}
