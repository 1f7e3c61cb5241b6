import type { AlertEventView } from '@weir/shared/watch/alerts';
import type { PlainKey } from '../../core/i18n/i18n';
import type { Tone } from '../../design/text/chip';

interface Words {
  readonly key: PlainKey;
  readonly tone: Tone;
}

type Delivery = AlertEventView['deliveries'][number];

export const EVENT_WORDS: Readonly<Record<AlertEventView['kind'], Words>> = {
  fired: { key: 'alertEvent.fired', tone: 'bad' },
  resolved: { key: 'alertEvent.resolved', tone: 'good' },
  test: { key: 'alertEvent.test', tone: 'plain' },
};

const DELIVERY_WORDS: Readonly<Record<Delivery['status'], Words>> = {
  sent: { key: 'alerts.sent', tone: 'good' },
  pending: { key: 'alerts.waiting', tone: 'warn' },
  failed: { key: 'alerts.failed', tone: 'bad' },
};

export function deliveryWords({ status }: Pick<Delivery, 'status'>): Words {
  return DELIVERY_WORDS[status];
}

/** The worst of what happened to the messages of an event. */
export function eventDelivery({ deliveries }: Pick<AlertEventView, 'deliveries'>): Words {
  const worst = (['failed', 'pending', 'sent'] as const).find((status) =>
    deliveries.some((delivery) => delivery.status === status),
  );
  return worst === undefined ? { key: 'alerts.toldNobody', tone: 'warn' } : DELIVERY_WORDS[worst];
}
