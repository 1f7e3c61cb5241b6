import type { RouteId } from '@weir/shared/api/admin-routes';
import type { SearchHit, SearchKind } from '@weir/shared/api/search';
import type { Translate, PlainKey } from '../core/i18n/i18n';
import type { IconName } from '../design/icon/icon-paths';
import type { Command } from './commands';

/** Commands that act on a search hit at once. */
export type HitAct =
  | 'credit'
  | 'suspend'
  | 'test_channel'
  | 'disable_channel'
  | 'disable_key'
  | 'disable_own_key'
  | 'refund';

interface Offer {
  readonly act: HitAct;
  readonly icon: IconName;
  readonly name:
    | 'palette.credit'
    | 'palette.suspend'
    | 'palette.test'
    | 'palette.disable'
    | 'palette.refund';
  /** The route that it calls. */
  readonly needs: RouteId;
}

const OPERATOR_OFFERS: Partial<Record<SearchKind, readonly Offer[]>> = {
  account: [
    { act: 'credit', icon: 'wallet', name: 'palette.credit', needs: 'createCredit' },
    { act: 'suspend', icon: 'pause', name: 'palette.suspend', needs: 'updateAccount' },
  ],
  channel: [
    { act: 'test_channel', icon: 'bolt', name: 'palette.test', needs: 'testChannel' },
    { act: 'disable_channel', icon: 'pause', name: 'palette.disable', needs: 'updateChannel' },
  ],
  key: [{ act: 'disable_key', icon: 'pause', name: 'palette.disable', needs: 'updateKeyOfAnyone' }],
  order: [{ act: 'refund', icon: 'arrowLeft', name: 'palette.refund', needs: 'refundOrder' }],
};

const CUSTOMER_OFFERS: Partial<Record<SearchKind, readonly Offer[]>> = {
  key: [{ act: 'disable_own_key', icon: 'pause', name: 'palette.disable', needs: 'updateKey' }],
};

interface Reader {
  readonly t: Translate;
  readonly isAdmin: boolean;
  readonly may: (routeId: RouteId) => boolean;
  readonly hasCards: boolean;
}

/** The commands that act on something found, for those who may do so. */
export function hitActs(hit: SearchHit, { t, isAdmin, may, hasCards }: Reader): Command[] {
  const offers = (isAdmin ? OPERATOR_OFFERS : CUSTOMER_OFFERS)[hit.kind] ?? [];
  const group: PlainKey = 'palette.action';
  return offers
    .filter(({ act, needs }) => may(needs) && (act !== 'refund' || hasCards))
    .map(({ act, icon, name }) => ({
      id: `${act}:${hit.id}`,
      name: t(name, { name: hit.title }),
      detail: hit.kind === 'order' || hit.kind === 'key' ? hit.detail : '',
      aliases: '',
      icon,
      group: 'found',
      groupName: t(group),
      act: { kind: 'hit', act, hit },
    }));
}
