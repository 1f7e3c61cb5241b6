import type { Logger } from 'pino';
import type { ContentWriter } from '../content-log/content-writer.ts';
import type { Config } from '../platform/config/config.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';

import type { PeriodicJobs } from '../platform/telemetry/periodic-jobs.ts';
import type { HistoryWriter } from '../request-history/history-writer.ts';
import type { ClosingStack } from './closing-stack.ts';
import { keepContent } from './keep-content.ts';
import { keepRequests } from './keep-requests.ts';
import type { Stores } from './stores/open-stores.ts';

/** The writers of what HTTP threads hand on; null in a process without any. */
export interface Writers {
  readonly history: HistoryWriter | null;
  readonly content: ContentWriter | null;
}

/** Starts the writers of a process with HTTP threads; the closing stack ends them. */
export async function startWriters(
  stores: Stores,
  process: {
    readonly config: Config;
    readonly secrets: Secrets;
    readonly logger: Logger;
    readonly closing: ClosingStack;
    readonly jobs: PeriodicJobs;
  },
): Promise<Writers> {
  if (process.config.role === 'admin') return { history: null, content: null };
  return {
    history: await keepRequests(stores, process),
    content: keepContent(stores, process),
  };
}
