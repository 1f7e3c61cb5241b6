import { accessTokenHandlers } from './access-tokens/routes.ts';
import { accountingHandlers } from './accounting/routes.ts';
import { accountPriceHandlers } from './account-prices/routes.ts';
import { accountHandlers } from './accounts/routes.ts';
import { alertHandlers } from './alerts/routes.ts';
import type { Handlers } from './api/register-routes.ts';
import { auditHandlers } from './audit/routes.ts';
import { budgetHandlers } from './budgets/routes.ts';
import { bulkChangeHandlers } from './bulk-changes/routes.ts';
import { channelHandlers } from './channels/routes.ts';
import { contentLogHandlers } from './content-log/routes.ts';
import { creditHandlers } from './credits/routes.ts';
import { deviceLoginHandlers } from './device-logins/routes.ts';
import { directoryHandlers } from './directories/routes.ts';
import { groupHandlers } from './groups/routes.ts';
import { healthHandlers } from './health/health.ts';
import { invitationHandlers } from './invitation-codes/routes.ts';
import { invoiceHandlers } from './invoices/routes.ts';
import { keyHandlers } from './keys/routes.ts';
import { managedSettingsHandlers } from './managed-settings/routes.ts';
import { marginHandlers } from './margins/routes.ts';
import { memberHandlers } from './members/routes.ts';
import { memberInvitationHandlers } from './member-invitations/routes.ts';
import { modelHandlers } from './models/routes.ts';
import { noticeHandlers } from './notices/routes.ts';
import { orderHandlers } from './orders/routes.ts';
import { getOverview } from './overview/overview.ts';
import { getStorage } from './overview/storage.ts';
import { planHandlers } from './plans/routes.ts';
import { priceHandlers } from './prices/routes.ts';
import { redemptionHandlers } from './redemption-codes/routes.ts';
import { requestHandlers } from './requests/routes.ts';
import { savedViewHandlers } from './saved-views/routes.ts';
import { searchHandlers } from './search/routes.ts';
import { secondFactorHandlers } from './second-factors/routes.ts';
import { secretRotationHandlers } from './secret-rotations/routes.ts';
import { sessionHandlers } from './sessions/routes.ts';
import { settingsHandlers } from './settings/routes.ts';
import { signOnHandlers } from './sign-on/routes.ts';
import { subscriptionHandlers } from './subscriptions/routes.ts';
import { targetHandlers } from './targets/routes.ts';
import { teamHandlers } from './teams/routes.ts';
import { upstreamBalanceHandlers } from './upstream-balances/routes.ts';
import { upstreamPriceHandlers } from './upstream-prices/routes.ts';
import { usageHandlers } from './usage/routes.ts';
import { userHandlers } from './users/routes.ts';

/** Every route has its handler here: one that is missing does not compile. */
export const HANDLERS: Handlers = {
  ...sessionHandlers,
  ...secondFactorHandlers,
  ...accessTokenHandlers,
  ...userHandlers,
  ...accountHandlers,
  ...accountPriceHandlers,
  ...memberHandlers,
  ...teamHandlers,
  ...memberInvitationHandlers,
  ...creditHandlers,
  ...keyHandlers,
  ...deviceLoginHandlers,
  ...managedSettingsHandlers,
  ...budgetHandlers,
  ...groupHandlers,
  ...modelHandlers,
  ...priceHandlers,
  ...channelHandlers,
  ...targetHandlers,
  ...redemptionHandlers,
  ...invitationHandlers,
  ...planHandlers,
  ...subscriptionHandlers,
  ...orderHandlers,
  ...invoiceHandlers,
  ...accountingHandlers,
  ...usageHandlers,
  ...requestHandlers,
  ...contentLogHandlers,
  ...settingsHandlers,
  ...auditHandlers,
  ...searchHandlers,
  ...secretRotationHandlers,
  ...healthHandlers,
  ...alertHandlers,
  ...noticeHandlers,
  ...upstreamPriceHandlers,
  ...marginHandlers,
  ...upstreamBalanceHandlers,
  ...bulkChangeHandlers,
  ...savedViewHandlers,
  ...signOnHandlers,
  ...directoryHandlers,
  getOverview,
  getStorage,
};
