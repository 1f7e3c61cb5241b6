import type { OperatorEnglish } from './operators';
import { accountEnglish } from './account';
import { billingEnglish } from './billing';
import { bulkEnglish } from './bulk';
import { contentLogEnglish } from './content-log';
import { deviceEnglish } from './device';
import { keysEnglish } from './keys';
import { membersEnglish } from './members';
import { modelsEnglish } from './models';
import { objectsEnglish } from './objects';
import { playgroundEnglish } from './playground';
import { problemsEnglish } from './problems';
import { requestsEnglish } from './requests';
import { sessionsEnglish } from './sessions';
import { shellEnglish } from './shell';
import { signOnEnglish } from './sign-on';
import { startEnglish } from './start';
import { usageEnglish } from './usage';
import { viewsEnglish } from './views';

/** Texts of the pages that everyone has; those of operators are loaded with theirs. */
export const english = {
  ...accountEnglish,
  ...billingEnglish,
  ...bulkEnglish,
  ...contentLogEnglish,
  ...deviceEnglish,
  ...keysEnglish,
  ...membersEnglish,
  ...modelsEnglish,
  ...objectsEnglish,
  ...playgroundEnglish,
  ...problemsEnglish,
  ...requestsEnglish,
  ...sessionsEnglish,
  ...shellEnglish,
  ...signOnEnglish,
  ...startEnglish,
  ...usageEnglish,
  ...viewsEnglish,
} as const;

export type English = typeof english & OperatorEnglish;
