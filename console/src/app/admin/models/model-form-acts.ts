import { FormGroup } from '@angular/forms';
import { ModelUpdate, type ModelView } from '@weir/shared/catalog/models';
import type { ApiPort } from '../../core/api/call-input';
import { several } from '../../core/forms/controls';
import type { Option, Translate } from '../../core/i18n/i18n';
import type { BulkField } from '../../design/bulk/bulk-change';
import type { BulkChanges } from '../../design/bulk/bulk-changes';
import { BulkPriceForm, PRICE_CHANGES, ROUNDINGS } from './prices/bulk-price-form';

export interface ModelBulk {
  readonly api: ApiPort;
  readonly bulk: BulkChanges<ModelView>;
  readonly groups: () => readonly Option[];
  readonly t: Translate;
  /** The reader's time zone, for times that are entered. */
  readonly zone: string;
}

/** Sells selected models in other groups. */
export function setGroups({ bulk, groups, t }: ModelBulk): Promise<void> {
  const groupIds = several(ModelUpdate.properties.groupIds, []);
  return bulk.open({
    heading: (count) => t('bulk.groupsTitle', { count }),
    text: t('bulk.groupsHint'),
    action: t('bulk.groupsSave'),
    form: {
      group: new FormGroup({ groupIds }),
      fields: [
        {
          kind: 'choices',
          control: groupIds,
          label: t('catalog.groups'),
          placeholder: t('catalog.noGroup'),
          options: groups,
        },
      ],
    },
    change: () => ({ groupIds: [...groupIds.value] }),
  });
}

function priceFields(form: BulkPriceForm, { t, zone }: ModelBulk): BulkField[] {
  const { controls, kind } = form;
  const perMillion = t('bulk.perMillion');
  const isShare = (): boolean => kind() !== 'set';
  const price = { kind: 'line', prefix: '$', suffix: perMillion } as const;
  return [
    {
      kind: 'choice',
      control: controls.kind,
      label: t('bulk.priceKind'),
      options: () => PRICE_CHANGES.map((value) => ({ value, label: t(`bulk.priceKind.${value}`) })),
    },
    {
      kind: 'line',
      control: controls.percent,
      label: t('bulk.percent'),
      hint: t('bulk.percentHint'),
      suffix: '%',
      when: () => kind() === 'percent',
    },
    {
      kind: 'line',
      control: controls.factor,
      label: t('bulk.factor'),
      hint: t('bulk.factorHint'),
      when: () => kind() === 'factor',
    },
    { ...price, control: controls.inputUsd, label: t('models.input'), when: () => !isShare() },
    { ...price, control: controls.outputUsd, label: t('models.output'), when: () => !isShare() },
    {
      ...price,
      control: controls.stepUsd,
      label: t('bulk.step'),
      hint: t('bulk.stepHint'),
      optional: true,
      when: isShare,
    },
    {
      kind: 'choice',
      control: controls.mode,
      label: t('bulk.rounding'),
      options: () => ROUNDINGS.map((value) => ({ value, label: t(`bulk.rounding.${value}`) })),
      when: isShare,
    },
    {
      kind: 'moment',
      control: controls.effectiveFrom,
      label: t('prices.from'),
      hint: t('bulk.fromHint', { zone }),
      optional: true,
    },
  ];
}

/** Changes the prices of selected models. */
export function setPrices(models: ModelBulk): Promise<void> {
  const { api, bulk, t } = models;
  const form = new BulkPriceForm();
  return bulk.open(
    {
      heading: (count) => t('bulk.priceTitle', { count }),
      text: t('bulk.priceText'),
      action: t('bulk.priceSave'),
      form: { group: form.group, fields: priceFields(form, models) },
      change: () => form.body(),
    },
    {
      send: ({ body, dryRun }, idempotencyKey) =>
        api.call('changePricesInBulk', { body: { ...body, dryRun }, idempotencyKey }),
      undo: (bulkChangeId, idempotencyKey) =>
        api.call('undoBulkChange', { params: { bulkChangeId }, body: {}, idempotencyKey }),
    },
  );
}
