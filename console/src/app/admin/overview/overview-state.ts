import type { Overview } from '@weir/shared/overview';
import type { ApiPort } from '../../core/api/call-input';
import { Loadable } from '../../core/state/loadable';
import type { PlainKey } from '../../core/i18n/i18n';
import type { Tone } from '../../design/text/chip';

export type ChannelHealth = Overview['channels'][number]['state'];

export const HEALTH_WORDS: Readonly<
  Record<ChannelHealth, { readonly key: PlainKey; readonly tone: Tone }>
> = {
  healthy: { key: 'health.healthy', tone: 'good' },
  failing: { key: 'health.failing', tone: 'bad' },
  open: { key: 'health.open', tone: 'bad' },
  half_open: { key: 'health.halfOpen', tone: 'warn' },
  unknown: { key: 'health.unknown', tone: 'plain' },
};

/** HTTP threads; a newer server may have further states. */
export const THREAD_WORDS: ReadonlyMap<string, PlainKey> = new Map([
  ['starting', 'thread.starting'],
  ['serving', 'thread.serving'],
  ['draining', 'thread.draining'],
  ['restarting', 'thread.restarting'],
]);

/** A drain that is this far behind needs a look. */
const DRAIN_LAG_MS_MAX = 10_000;

/** Whether made-up replies may be billed to customers. */
export function isDemoActive(
  channels: readonly Pick<Overview['channels'][number], 'kind' | 'status'>[],
): boolean {
  return channels.some(({ kind, status }) => kind === 'demo' && status === 'active');
}

/** What is not as it should be, worst first. Empty on a good day. */
export function troubles(overview: Overview): PlainKey[] {
  const { ledger, drain, channels, traffic } = overview;
  const active = channels.filter(({ status }) => status === 'active');
  const broken = active.filter(({ state }) => state === 'open');
  const failing = active.filter(({ state }) => state === 'failing');
  const found: (readonly [boolean, PlainKey])[] = [
    [!ledger.reachable, 'overview.troubleLedger'],
    [active.length === 0, 'overview.troubleNoChannel'],
    [broken.length > 0, 'overview.troubleChannels'],
    [failing.length > 0, 'overview.troubleFailing'],
    [isDemoActive(channels), 'overview.troubleDemo'],
    [(drain?.lagMs ?? 0) > DRAIN_LAG_MS_MAX, 'overview.troubleDrain'],
    [traffic.requests > 0 && traffic.failures / traffic.requests > 0.05, 'overview.troubleErrors'],
  ];
  return found.filter(([isSo]) => isSo).map(([, key]) => key);
}

export class OverviewState extends Loadable<Overview> {
  constructor(api: ApiPort) {
    super(() => api.call('getOverview'));
  }
}
