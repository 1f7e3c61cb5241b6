import type { Overview } from '@weir/shared/watch/overview';
import type { ApiPort } from '../../core/api/call-input';
import { Loadable } from '../../core/state/loadable';
import type { PlainKey } from '../../core/i18n/i18n';
import type { Tone } from '../../design/text/chip';

type ChannelHealth = Overview['channels'][number]['state'];

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

export class OverviewState extends Loadable<Overview> {
  constructor(api: ApiPort) {
    super(() => api.call('getOverview'));
  }
}
