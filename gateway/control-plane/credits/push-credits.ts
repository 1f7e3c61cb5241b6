import { applyCredits } from '../../ledger/apply-credits.ts';
import type { AdminContext } from '../api/context.ts';

/**
 * Sends committed credits to the ledger at once. A failure changes nothing for good: the change
 * feed applies them within a second, so it is logged and not reported to the payer.
 */
export async function pushCredits(context: AdminContext, accountId: string): Promise<void> {
  try {
    await applyCredits(context.ledger, context.pool, accountId);
  } catch (error) {
    context.logger.warn({ err: error, accountId }, 'credits wait for the change feed');
  }
}
