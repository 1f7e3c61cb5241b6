import { accountChinese } from './account';
import { billingChinese } from './billing';
import { bulkChinese } from './bulk';
import { contentLogChinese } from './content-log';
import { deviceChinese } from './device';
import { keysChinese } from './keys';
import { membersChinese } from './members';
import { modelsChinese } from './models';
import { objectsChinese } from './objects';
import { playgroundChinese } from './playground';
import { problemsChinese } from './problems';
import { requestsChinese } from './requests';
import { sessionsChinese } from './sessions';
import { shellChinese } from './shell';
import { signOnChinese } from './sign-on';
import { startChinese } from './start';
import { usageChinese } from './usage';
import { viewsChinese } from './views';

/** Texts of the pages that everyone has. */
export const chinese = {
  ...accountChinese,
  ...billingChinese,
  ...bulkChinese,
  ...contentLogChinese,
  ...deviceChinese,
  ...keysChinese,
  ...membersChinese,
  ...modelsChinese,
  ...objectsChinese,
  ...playgroundChinese,
  ...problemsChinese,
  ...requestsChinese,
  ...sessionsChinese,
  ...shellChinese,
  ...signOnChinese,
  ...startChinese,
  ...usageChinese,
  ...viewsChinese,
};
