import type { PlainKey } from '../../core/i18n/i18n';

/** Names of jobs as the API has them, and the texts for them; a job without one keeps its name. */
export const JOB_NAMES: ReadonlyMap<string, PlainKey> = new Map([
  ['report state', 'job.reportState'],
  ['create request partitions', 'job.createRequestPartitions'],
  ['create usage partitions', 'job.createUsagePartitions'],
  ['erase content', 'job.eraseContent'],
  ['renew subscriptions', 'job.renewSubscriptions'],
  ['reconcile orders', 'job.reconcileOrders'],
  ['clean up', 'job.cleanUp'],
  ['close usage days', 'job.closeUsageDays'],
  ['drop old usage', 'job.dropOldUsage'],
  ['drop old requests', 'job.dropOldRequests'],
  ['evaluate alerts', 'job.evaluateAlerts'],
  ['notify customers', 'job.notifyCustomers'],
  ['sum margins', 'job.sumMargins'],
  ['read upstream balances', 'job.readUpstreamBalances'],
  ['mail accounting', 'job.mailAccounting'],
  ['send messages', 'job.sendMessages'],
]);
