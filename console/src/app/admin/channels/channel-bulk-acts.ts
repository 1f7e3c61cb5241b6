import { FormGroup } from '@angular/forms';
import { ChannelUpdate, type ChannelView } from '@weir/shared/catalog/channels';
import { whole, wholeOf } from '../../core/forms/controls';
import type { Translate } from '../../core/i18n/i18n';
import type { BulkChanges } from '../../design/bulk/bulk-changes';
import type { BulkAct } from '../../design/table/bulk-bar';

interface ChannelBulk {
  readonly bulk: BulkChanges<ChannelView>;
  readonly t: Translate;
}

function setStatus({ bulk, t }: ChannelBulk, status: ChannelView['status']): Promise<void> {
  const isOff = status === 'disabled';
  return bulk.open({
    heading: (count) =>
      t(isOff ? 'channels.disableManyTitle' : 'channels.enableManyTitle', { count }),
    text: t(isOff ? 'channels.disableManyText' : 'channels.enableManyText'),
    action: t(isOff ? 'action.disable' : 'action.enable'),
    destructive: isOff,
    change: () => ({ status }),
  });
}

function setPriority({ bulk, t }: ChannelBulk): Promise<void> {
  const priority = whole(ChannelUpdate.properties.priority, { required: true });
  const weight = whole(ChannelUpdate.properties.weight, { required: true });
  return bulk.open({
    heading: (count) => t('channels.priorityManyTitle', { count }),
    text: t('channels.priorityManyText'),
    action: t('channels.priorityManySave'),
    form: {
      group: new FormGroup({ priority, weight }),
      fields: [
        {
          kind: 'line',
          control: priority,
          label: t('channels.priority'),
          hint: t('channels.priorityHint'),
        },
        {
          kind: 'line',
          control: weight,
          label: t('channels.weight'),
          hint: t('channels.weightHint'),
        },
      ],
    },
    change: () => ({ priority: wholeOf(priority), weight: wholeOf(weight) }),
  });
}

/** Returns the changes that selected channels can have. */
export function channelBulkActs(channels: ChannelBulk): BulkAct[] {
  return [
    { label: 'action.enable', run: () => setStatus(channels, 'active') },
    { label: 'action.disable', run: () => setStatus(channels, 'disabled') },
    { label: 'channels.priorityAction', run: () => setPriority(channels) },
  ];
}
