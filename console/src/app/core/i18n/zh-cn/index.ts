import { accountChinese } from './account';
import { actsChinese } from './acts';
import { adminAccountsChinese } from './admin-accounts';
import { adminCatalogChinese } from './admin-catalog';
import { adminChannelsChinese } from './admin-channels';
import { adminOperationChinese } from './admin-operation';
import { adminSalesChinese } from './admin-sales';
import { alertsChinese } from './alerts';
import { billingChinese } from './billing';
import { keysChinese } from './keys';
import { marginChinese } from './margin';
import { modelsChinese } from './models';
import { onboardingChinese } from './onboarding';
import { playgroundChinese } from './playground';
import { problemsChinese } from './problems';
import { requestsChinese } from './requests';
import { sessionsChinese } from './sessions';
import { shellChinese } from './shell';
import { startChinese } from './start';
import { usageChinese } from './usage';

/** Every text of the console. */
export const chinese = {
  ...accountChinese,
  ...actsChinese,
  ...adminAccountsChinese,
  ...adminCatalogChinese,
  ...adminChannelsChinese,
  ...adminOperationChinese,
  ...adminSalesChinese,
  ...alertsChinese,
  ...billingChinese,
  ...keysChinese,
  ...marginChinese,
  ...modelsChinese,
  ...onboardingChinese,
  ...playgroundChinese,
  ...problemsChinese,
  ...requestsChinese,
  ...sessionsChinese,
  ...shellChinese,
  ...startChinese,
  ...usageChinese,
};
