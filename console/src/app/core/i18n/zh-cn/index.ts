import { accountChinese } from './account';
import { billingChinese } from './billing';
import { keysChinese } from './keys';
import { modelsChinese } from './models';
import { playgroundChinese } from './playground';
import { problemsChinese } from './problems';
import { sessionsChinese } from './sessions';
import { shellChinese } from './shell';
import { startChinese } from './start';
import { usageChinese } from './usage';

/** Every text of the console. */
export const chinese = {
  ...accountChinese,
  ...billingChinese,
  ...keysChinese,
  ...modelsChinese,
  ...playgroundChinese,
  ...problemsChinese,
  ...sessionsChinese,
  ...shellChinese,
  ...startChinese,
  ...usageChinese,
};
