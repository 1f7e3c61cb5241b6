import { accountingChinese } from './accounting';
import { actsChinese } from './acts';
import { adminAccountsChinese } from './admin-accounts';
import { adminCatalogChinese } from './admin-catalog';
import { adminChannelsChinese } from './admin-channels';
import { adminObjectsChinese } from './admin-objects';
import { adminOperationChinese } from './admin-operation';
import { adminSalesChinese } from './admin-sales';
import { adminSignOnChinese } from './admin-sign-on';
import { alertsChinese } from './alerts';
import { marginChinese } from './margin';
import { onboardingChinese } from './onboarding';

/** Texts that only the pages of operators have. */
export const operatorChinese = {
  ...accountingChinese,
  ...actsChinese,
  ...adminAccountsChinese,
  ...adminCatalogChinese,
  ...adminChannelsChinese,
  ...adminObjectsChinese,
  ...adminOperationChinese,
  ...adminSalesChinese,
  ...adminSignOnChinese,
  ...alertsChinese,
  ...marginChinese,
  ...onboardingChinese,
};
