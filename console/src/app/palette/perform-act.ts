import type { Injector } from '@angular/core';
import type { AccountView } from '@weir/shared/people/accounts';
import type { OrderView } from '@weir/shared/money/orders';
import type { SearchHit } from '@weir/shared/api/search';
import { Api } from '../core/api/api';
import { fetchAll } from '../core/api/fetch-all';
import { Formatter } from '../core/format/formatter';
import { I18n } from '../core/i18n/i18n';
import { Dialogs } from '../design/dialog/dialogs';
import { Toasts } from '../design/feedback/toasts';
import type { HitAct } from './hit-acts';

/** Does what was chosen in the palette; what is hard to undo is asked about first. */
export async function performAct(act: HitAct, hit: SearchHit, injector: Injector): Promise<void> {
  // The palette opens on pages of customers, too.
  if (act !== 'disable_own_key') await injector.get(I18n).useOperatorTexts();
  switch (act) {
    case 'credit':
      return credit(hit, injector);
    case 'refund':
      return refund(hit, injector);
    case 'test_channel':
      return testChannel(hit, injector);
    case 'suspend':
    case 'disable_channel':
    case 'disable_key':
    case 'disable_own_key':
      return disable(act, hit, injector);
  }
}

async function credit({ id: accountId }: SearchHit, injector: Injector): Promise<void> {
  const [{ CreditDialog }, account] = await Promise.all([
    import('../admin/accounts/credit/credit-dialog'),
    injector.get(Api).call('getAccount', { params: { accountId } }),
  ]);
  const given = await injector
    .get(Dialogs)
    .open<AccountView, boolean>(CreditDialog, { data: account });
  if (given === true) done(injector);
}

async function refund({ id, accountId }: SearchHit, injector: Injector): Promise<void> {
  const api = injector.get(Api);
  const [{ RefundDialog }, orders] = await Promise.all([
    import('../admin/orders/refund-dialog'),
    fetchAll((cursor) =>
      api.call('listOrders', { query: { cursor, accountId: accountId ?? '', limit: 200 } }),
    ),
  ]);
  const order = orders.find((one) => one.id === id);
  if (order === undefined) return;
  const updated = await injector
    .get(Dialogs)
    .open<OrderView, OrderView>(RefundDialog, { data: order });
  if (updated !== undefined) done(injector);
}

async function testChannel({ id, title: name }: SearchHit, injector: Injector): Promise<void> {
  const { t } = injector.get(I18n);
  const toasts = injector.get(Toasts);
  toasts.info(t('palette.testing'));
  const test = await injector.get(Api).call('testChannel', { params: { channelId: id }, body: {} });
  const time = injector.get(Formatter).duration(test.latencyMs);
  toasts.info(t(test.ok ? 'palette.testOk' : 'palette.testFailed', { name, time }));
}

type Disabling = Extract<HitAct, 'suspend' | `disable_${string}`>;

async function disable(act: Disabling, hit: SearchHit, injector: Injector): Promise<void> {
  const { t } = injector.get(I18n);
  const confirmed = await injector.get(Dialogs).confirm({
    heading: t(act === 'suspend' ? 'palette.suspendTitle' : 'palette.disableTitle', {
      name: hit.title,
    }),
    text: t(act === 'suspend' ? 'palette.suspendText' : 'palette.disableText'),
    action: t(act === 'suspend' ? 'palette.suspendAction' : 'action.disable'),
    destructive: true,
    work: () => setOff(act, hit.id, injector.get(Api)),
  });
  if (confirmed) done(injector);
}

/** "Disabled" means the same whatever else was edited, so the version is not asked for. */
async function setOff(act: Disabling, id: string, api: Api): Promise<void> {
  const ifMatch = '*';
  const body = { status: 'disabled' } as const;
  switch (act) {
    case 'suspend':
      await api.call('updateAccount', {
        params: { accountId: id },
        ifMatch,
        body: { status: 'suspended' },
      });
      return;
    case 'disable_channel':
      await api.call('updateChannel', { params: { channelId: id }, ifMatch, body });
      return;
    case 'disable_key':
      await api.call('updateKeyOfAnyone', { params: { keyId: id }, ifMatch, body });
      return;
    case 'disable_own_key':
      await api.call('updateKey', { params: { keyId: id }, ifMatch, body });
      return;
  }
}

function done(injector: Injector): void {
  injector.get(Toasts).info(injector.get(I18n).t('palette.done'));
}
