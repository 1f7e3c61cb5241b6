import type { AdminDeps, AdminLimits } from '../admin-deps.ts';
import type { InvoicePrinter } from '../invoices/print/invoice-printer.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { PeriodicJobs } from '../../platform/telemetry/periodic-jobs.ts';
import type { Stripe } from 'stripe';
import type { ProviderClients } from '../sign-on/providers/provider-clients.ts';

/** The context of handlers: the dependencies, and what the admin API made of them. */
export interface AdminContext extends Omit<AdminDeps, 'limits' | 'jobs'> {
  readonly limits: AdminLimits;
  readonly jobs: PeriodicJobs;
  readonly mailer: Mailer;
  readonly printer: InvoicePrinter;
  /** Null when card payments are not configured. */
  readonly stripe: Stripe | null;
  readonly signOnClients: ProviderClients;
}
