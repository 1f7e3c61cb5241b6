import { accountingEnglish } from './accounting';
import { actsEnglish } from './acts';
import { adminAccountsEnglish } from './admin-accounts';
import { adminCatalogEnglish } from './admin-catalog';
import { adminChannelsEnglish } from './admin-channels';
import { adminObjectsEnglish } from './admin-objects';
import { adminOperationEnglish } from './admin-operation';
import { adminSalesEnglish } from './admin-sales';
import { adminSignOnEnglish } from './admin-sign-on';
import { alertsEnglish } from './alerts';
import { marginEnglish } from './margin';
import { onboardingEnglish } from './onboarding';

/** Texts that only the pages of operators have. */
export const operatorEnglish = {
  ...accountingEnglish,
  ...actsEnglish,
  ...adminAccountsEnglish,
  ...adminCatalogEnglish,
  ...adminChannelsEnglish,
  ...adminObjectsEnglish,
  ...adminOperationEnglish,
  ...adminSalesEnglish,
  ...adminSignOnEnglish,
  ...alertsEnglish,
  ...marginEnglish,
  ...onboardingEnglish,
} as const;

export type OperatorEnglish = typeof operatorEnglish;
