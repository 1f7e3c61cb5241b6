import type { Config } from '../config/config.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from './embedded.ts';

/** The database of a command: the configured one, or the embedded one, which is ended with it. */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  onProblem: (message: string) => void,
): Promise<EmbeddedDatabase> {
  if (config.databaseUrl !== null) {
    return { url: config.databaseUrl, stop: () => Promise.resolve() };
  }
  return startEmbeddedDatabase({
    dataDir: config.dataDir,
    onFailure: (error) => {
      throw error;
    },
    onProblem,
  });
}
