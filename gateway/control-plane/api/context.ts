import type { AdminDeps, AdminLimits } from '../admin-deps.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { PeriodicJobs } from '../../platform/telemetry/periodic-jobs.ts';
import type { Stripe } from 'stripe';

/** The context of handlers: the dependencies, and what the admin API made of them. */
export interface AdminContext extends Omit<AdminDeps, 'limits' | 'jobs'> {
  readonly limits: AdminLimits;
  readonly jobs: PeriodicJobs;
  readonly mailer: Mailer;
  /** Null when card payments are not configured. */
  readonly stripe: Stripe | null;
}
