import type { Overview } from '@weir/shared/watch/overview';
import type { BalanceCurrency } from '@weir/shared/prices/upstream-balances';
import type { PlainKey } from '../../core/i18n/i18n';

/** Something that a person has to see to, and where. */
export interface Need {
  readonly text: PlainKey;
  /** Its subject: the name of a channel, job or rule, an amount, a count. */
  readonly subject: string;
  readonly tone: 'bad' | 'warn';
  /** None where no page mends it. */
  readonly link: readonly string[] | null;
}

/** A drain that is this far behind needs a look. */
const DRAIN_LAG_MS_MAX = 10_000;
/** A longer list is not read; the lists themselves have all. */
export const NEEDS_MAX = 12;

/** True if made-up replies may be billed to customers. */
export function isDemoActive(
  channels: readonly Pick<Overview['channels'][number], 'kind' | 'status'>[],
): boolean {
  return channels.some(({ kind, status }) => kind === 'demo' && status === 'active');
}

function ofSystem({ ledger, drain, problems, jobs }: Overview): Need[] {
  const needs: Need[] = problems.map(({ message }) => ({
    ...{ text: 'need.problem', subject: message, tone: 'bad', link: null },
  }));
  if (!ledger.reachable) {
    needs.push({ text: 'need.ledger', subject: ledger.error ?? '', tone: 'bad', link: null });
  }
  if ((drain?.lagMs ?? 0) > DRAIN_LAG_MS_MAX) {
    needs.push({
      ...{ text: 'need.drain', subject: '', tone: 'warn', link: ['/admin/operations'] },
    });
  }
  for (const { name, late, lastFailure } of jobs) {
    if (!late) continue;
    const subject = lastFailure === null ? name : `${name}: ${lastFailure}`;
    needs.push({ text: 'need.job', subject, tone: 'bad', link: null });
  }
  return needs;
}

function ofChannels({ channels }: Overview): Need[] {
  const active = channels.filter(({ status }) => status === 'active');
  const needs: Need[] = [];
  if (active.length === 0) {
    needs.push({ text: 'need.noChannel', subject: '', tone: 'bad', link: ['/admin/channels'] });
  }
  for (const { id, name, state } of active) {
    const link = ['/admin/channels', id];
    if (state === 'open')
      needs.push({ text: 'need.channelOpen', subject: name, tone: 'bad', link });
    if (state === 'failing') {
      needs.push({ text: 'need.channelFailing', subject: name, tone: 'warn', link });
    }
  }
  if (isDemoActive(channels)) {
    needs.push({
      text: 'overview.troubleDemo',
      subject: '',
      tone: 'warn',
      link: ['/admin/channels'],
    });
  }
  return needs;
}

/** Alerts but for those whose channel or job is in the list already. */
function ofAlerts({ needs: { alerts }, channels, jobs }: Overview): Need[] {
  const listed = new Set([
    ...channels
      .filter(
        ({ status, state }) => status === 'active' && (state === 'open' || state === 'failing'),
      )
      .map(({ id }) => id),
    ...jobs.filter(({ late }) => late).map(({ name }) => name),
  ]);
  return alerts
    .filter(({ kind, subject }) =>
      kind === 'channel_failing' || kind === 'job_not_run' ? !listed.has(subject) : true,
    )
    .map(({ ruleName, name }) => ({
      text: 'need.alert',
      subject: name === '' ? ruleName : `${ruleName}: ${name}`,
      tone: 'bad',
      link: ['/admin/alerts'],
    }));
}

/** The things that a person has to see to; those that stop requests come first. */
export function needsOf(
  overview: Overview,
  words: { readonly amount: (balance: string, currency: BalanceCurrency) => string },
): Need[] {
  const { lowBalances, openRefunds, disputedOrders } = overview.needs;
  const needs: Need[] = [
    ...ofSystem(overview),
    ...ofChannels(overview),
    ...ofAlerts(overview),
    ...lowBalances.map(({ channelId, channelName, balance, currency }): Need => ({
      text: 'need.balance',
      subject: `${channelName}: ${words.amount(balance, currency)}`,
      tone: 'warn',
      link: ['/admin/channels', channelId],
    })),
  ];
  const orders: readonly (readonly [number, PlainKey])[] = [
    [openRefunds, 'need.refunds'],
    [disputedOrders, 'need.disputes'],
  ];
  for (const [count, text] of orders) {
    if (count === 0) continue;
    needs.push({ text, subject: String(count), tone: 'warn', link: ['/admin/orders'] });
  }
  return needs;
}
