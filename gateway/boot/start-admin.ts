import { fileURLToPath } from 'node:url';
import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import type { Problem } from '@weir/shared/api/problems';
import { listen } from '../control-plane/open-server.ts';
import { steadyNowMs } from '../platform/clock/steady-clock.ts';
import { serveMetrics } from '../control-plane/metrics/serve-metrics.ts';
import { createOpsServer } from '../control-plane/ops-server.ts';
import { ConfigError, type Config } from '../platform/config/config.ts';
import { causeOf } from '../platform/errors/cause-of.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import type { PeriodicJobs } from '../platform/telemetry/periodic-jobs.ts';
import { renderMetrics } from './page/metrics.ts';
import type { CredentialMinter } from '../data-plane/credentials/credential-minter.ts';
import type { Supervisor } from '../data-plane/threads/supervisor.ts';
import type { ContentWriter } from '../content-log/content-writer.ts';
import type { HistoryWriter } from '../request-history/history-writer.ts';
import { readRedisMemory } from '../stores/redis/read-memory.ts';
import type { UsageDrain } from '../usage/drain.ts';
import type { ClosingStack } from './closing-stack.ts';
import type { Stores } from './stores/open-stores.ts';
import type { StoresWatch } from './stores/stores-watch.ts';
import { watchChannels } from './watch-channels.ts';

/** Requests of the admin API that are under way at the end get this long. */
const LAST_REQUESTS_MS = 10_000;

const CONSOLE_FOLDER = fileURLToPath(new URL('../../console/dist/browser', import.meta.url));

export interface AdminStart {
  readonly config: Config;
  readonly stores: Stores;
  readonly secrets: Secrets;
  readonly logger: Logger;
  readonly closing: ClosingStack;
  readonly gatewayUrl: string;
  readonly processId: string;
  readonly version: string;
  /** Null with ROLE=admin: another process serves requests. */
  readonly supervisor: Supervisor | null;
  readonly drain: UsageDrain | null;
  /** Null with ROLE=admin. */
  readonly history: HistoryWriter | null;
  /** Null with ROLE=admin. */
  readonly content: ContentWriter | null;
  readonly jobs: PeriodicJobs;
  readonly watch: Pick<StoresWatch, 'status' | 'state'>;
  readonly minter: Pick<CredentialMinter, 'secretFor' | 'replace' | 'status'>;
  readonly problems: () => readonly Problem[];
}

/**
 * Starts what is on ADMIN_PORT: the admin API and the console, with ROLE=gateway only what watches
 * a process. Returns the console's address, null when this process has none.
 */
export async function startAdmin(start: AdminStart): Promise<string | null> {
  const { config, supervisor, drain } = start;
  const isOps = config.role === 'gateway';
  const app = isOps ? createOpsServer(start) : await openAdminServer(start);
  serveMetrics(app, {
    token: config.metricsToken,
    render: async () =>
      renderMetrics(supervisor === null ? null : await supervisor.counters(), {
        threads: supervisor?.status() ?? [],
        stores: start.watch.status(),
        drain: drain?.status() ?? null,
        history: start.history?.status() ?? null,
        content: start.content?.status() ?? null,
        jobs: start.jobs.status(),
        minting: start.minter.status(),
      }),
  });
  try {
    await listen(app, { host: config.host, port: config.adminPort });
  } catch (error) {
    const reason = causeOf(error);
    throw new ConfigError(
      `ADMIN_PORT: ${config.adminPort} on ${config.host} cannot be used (${reason}). Set ADMIN_PORT to a free port.`,
    );
  }
  start.closing.push('ADMIN_PORT', () => app.close(), LAST_REQUESTS_MS);
  if (isOps) return null;
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : config.adminPort;
  return config.adminUrl ?? `http://${shownHost(config.host)}:${port}`;
}

/** All of the admin API is read only by a process that serves it. */
async function openAdminServer(start: AdminStart): Promise<ReturnType<typeof createOpsServer>> {
  const { createAdminServer } = await import('../control-plane/server.ts');
  const { config, stores, supervisor, drain } = start;
  const { redis } = stores;
  return createAdminServer({
    config,
    pool: stores.pool,
    ledger: stores.ledger,
    secrets: start.secrets,
    logger: start.logger,
    gatewayUrl: start.gatewayUrl,
    consoleUrl: config.adminUrl ?? `http://${shownHost(config.host)}:${config.adminPort}`,
    consoleFolder: existsSync(CONSOLE_FOLDER) ? CONSOLE_FOLDER : null,
    version: start.version,
    jobs: start.jobs,
    processId: start.processId,
    storesState: () => start.watch.state(),
    problems: start.problems,
    minter: start.minter,
    ...(redis === null ? {} : { redisMemory: () => readRedisMemory(redis) }),
    drainStatus: () => {
      const { lagMs, waiting } = drain?.status() ?? { lagMs: 0, waiting: 0 };
      return Promise.resolve({ lagMs, pending: waiting });
    },
    threadStatus: () =>
      (supervisor?.status() ?? []).map(({ index, state, restarts, startedAtMs }) => ({
        name: `http ${index}`,
        state,
        restarts,
        uptimeMs: steadyNowMs() - startedAtMs,
      })),
    ...(supervisor === null ? {} : { channelStatus: watchChannels(supervisor, start.closing) }),
  });
}

/**
 * HOST as part of an address. 0.0.0.0 is where one listens, not where one goes; an IPv6 address
 * is in brackets there.
 */
export function shownHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
