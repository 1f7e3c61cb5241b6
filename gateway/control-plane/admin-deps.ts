import type { Logger } from 'pino';
import type pg from 'pg';
import type { Problem } from '@weir/shared/api/problems';
import type { CredentialMinter } from '../data-plane/credentials/credential-minter.ts';
import type { HealthReport } from '../data-plane/routing/health/health-report.ts';
import type { StoresState } from '../data-plane/threads/messages.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import type { Config } from '../platform/config/config.ts';
import type { RedisMemory } from '../stores/redis/read-memory.ts';
import type { PeriodicJobs } from '../platform/telemetry/periodic-jobs.ts';

/** The part of the configuration that the admin API reads. */
export type AdminConfig = Pick<
  Config,
  | 'adminUrl'
  | 'trustedProxyHops'
  | 'allowPrivateUpstreams'
  | 'httpsProxy'
  | 'httpProxy'
  | 'noProxy'
  | 'smtpUrl'
  | 'mailFrom'
  | 'stripeSecretKey'
  | 'stripeWebhookSecret'
  | 'contentLogDaysMax'
  | 'contentLogBytesMax'
>;

/** The lag of settled records in PostgreSQL. */
interface DrainStatus {
  /** Age of the oldest record that has not reached Postgres; 0 when none waits. */
  readonly lagMs: number;
  readonly pending: number;
}

interface ThreadStatus {
  readonly name: string;
  readonly state: string;
  readonly restarts: number;
  readonly uptimeMs: number;
}

/** A channel's health as the gateway threads of this process see it. */
export interface ChannelStatus extends HealthReport {
  readonly channelId: string;
}

/** The address of Stripe's API; the official one when absent. */
export interface StripeAddress {
  readonly host: string;
  readonly port: number;
  readonly protocol: 'http' | 'https';
}

/** Addresses by vendor. */
export type CaptchaAddresses = Readonly<Record<'turnstile' | 'hcaptcha', string>>;

/** Bounds that tests lower or raise. Counts per minute and address unless they say otherwise. */
export interface AdminLimits {
  readonly requestsPerMinute: number;
  /** For routes where guessing would pay. */
  readonly guardedRequestsPerMinute: number;
  /**
   * Per quarter of an hour and e-mail address, for log-ins that failed and resets asked for from
   * one network; or user.
   */
  readonly attemptsPerSubject: number;
  /**
   * The same from all networks together: so high that it takes many of them to lock someone out.
   */
  readonly attemptsPerSubjectFromAnywhere: number;
}

export interface AdminDeps {
  readonly config: AdminConfig;
  readonly pool: pg.Pool;
  readonly ledger: Ledger;
  readonly secrets: Secrets;
  readonly logger: Logger;
  /** The root that clients are given, without a trailing slash. */
  readonly gatewayUrl: string;
  /** Where the console is reached, for links in mails and the cookie's Secure flag. */
  readonly consoleUrl: string;
  /** The built console, null to serve none. */
  readonly consoleFolder: string | null;
  readonly version: string;
  /** Under which this process reports its state (report-state.ts). */
  readonly processId?: string;
  /** Returns the state of this process's stores. */
  readonly storesState?: () => StoresState;
  /** Returns the problems of the stores and of the clocks. */
  readonly problems?: () => readonly Problem[];
  /** Absent without Redis. */
  readonly redisMemory?: () => Promise<readonly RedisMemory[]>;
  readonly drainStatus?: () => Promise<DrainStatus>;
  readonly threadStatus?: () => readonly ThreadStatus[];
  readonly channelStatus?: () => readonly ChannelStatus[];
  readonly stripeAddress?: StripeAddress;
  /** The addresses at which vendors of captchas verify tokens; the official ones when absent. */
  readonly captchaAddresses?: CaptchaAddresses;
  /** Ends the wait for a captcha's verdict; made for each one. */
  readonly captchaDeadline?: () => AbortSignal;
  readonly limits?: Partial<AdminLimits>;
  /** Tests: a reply that differs from its schema is a 500 instead of going out. */
  readonly checkReplies?: boolean;
  /** Exchanges credentials for tests of channels; absent: those are sent as they are. */
  readonly minter?: Pick<CredentialMinter, 'secretFor' | 'replace'>;
  /** The runner of the periodic jobs; the server makes its own when absent. `close` stops it. */
  readonly jobs?: PeriodicJobs;
  /** Runs the periodic jobs (renewals, reconciliation, clean-up). On by default. */
  readonly runJobs?: boolean;
}
