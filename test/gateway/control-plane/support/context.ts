import type { AdminContext } from '../../../../gateway/control-plane/api/context.ts';
import { openMailer } from '../../../../gateway/control-plane/mail/mailer.ts';
import { TEST_SECRETS } from '../../../support/seed.ts';
import type { FakeSmtp } from './fakes/fake-smtp.ts';
import type { AdminFixture } from './fixture.ts';

type Parts = Partial<Pick<AdminContext, 'pool'>> & {
  readonly smtp?: Pick<FakeSmtp, 'url'> | undefined;
  readonly allowPrivateUpstreams?: boolean;
};

/** Returns the context of the jobs of alerts and notices. */
export async function jobContext(fixture: AdminFixture, parts: Parts = {}): Promise<AdminContext> {
  const { smtp, allowPrivateUpstreams = false, ...others } = parts;
  const logger = fixture.app.log;
  const mailer = await openMailer({
    smtpUrl: smtp?.url ?? null,
    from: 'Weir <weir@example.org>',
    logger: logger as never,
  });
  return {
    pool: fixture.pool,
    secrets: TEST_SECRETS,
    consoleUrl: 'http://console.test',
    config: { allowPrivateUpstreams },
    logger,
    mailer,
    ...others,
  } as unknown as AdminContext;
}

/** Writes what a process reports of itself, so many seconds ago. */
export async function report(
  fixture: AdminFixture,
  processId: string,
  told: {
    readonly secondsAgo?: number;
    readonly requests?: number;
    readonly failures?: number;
    readonly drainLagMs?: number | null;
    readonly channels?: readonly {
      readonly channelId: string;
      readonly attempts: number;
      readonly failures: number;
      readonly state: 'closed' | 'half_open' | 'open';
    }[];
    readonly jobs?: readonly { name: string; isLate: boolean; lastFailure: string | null }[];
  } = {},
): Promise<void> {
  await fixture.pool.query(
    `insert into process_reports (process_id, at, requests, failures, drain_lag_ms, channels, jobs)
     values ($1, now() - make_interval(secs => $2), $3, $4, $5, $6, $7)`,
    [
      processId,
      told.secondsAgo ?? 0,
      told.requests ?? 0,
      told.failures ?? 0,
      told.drainLagMs ?? null,
      JSON.stringify(told.channels ?? []),
      JSON.stringify(told.jobs ?? []),
    ],
  );
}
