import { accountEnglish } from './account';
import { actsEnglish } from './acts';
import { adminAccountsEnglish } from './admin-accounts';
import { adminCatalogEnglish } from './admin-catalog';
import { adminChannelsEnglish } from './admin-channels';
import { adminOperationEnglish } from './admin-operation';
import { adminSalesEnglish } from './admin-sales';
import { alertsEnglish } from './alerts';
import { billingEnglish } from './billing';
import { keysEnglish } from './keys';
import { marginEnglish } from './margin';
import { modelsEnglish } from './models';
import { onboardingEnglish } from './onboarding';
import { playgroundEnglish } from './playground';
import { problemsEnglish } from './problems';
import { requestsEnglish } from './requests';
import { sessionsEnglish } from './sessions';
import { shellEnglish } from './shell';
import { startEnglish } from './start';
import { usageEnglish } from './usage';

/** Every text of the console. */
export const english = {
  ...accountEnglish,
  ...actsEnglish,
  ...adminAccountsEnglish,
  ...adminCatalogEnglish,
  ...adminChannelsEnglish,
  ...adminOperationEnglish,
  ...adminSalesEnglish,
  ...alertsEnglish,
  ...billingEnglish,
  ...keysEnglish,
  ...marginEnglish,
  ...modelsEnglish,
  ...onboardingEnglish,
  ...playgroundEnglish,
  ...problemsEnglish,
  ...requestsEnglish,
  ...sessionsEnglish,
  ...shellEnglish,
  ...startEnglish,
  ...usageEnglish,
} as const;

export type English = typeof english;
