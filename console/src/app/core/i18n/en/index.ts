import type { OperatorEnglish } from './operators';
import { accountEnglish } from './account';
import { billingEnglish } from './billing';
import { bulkEnglish } from './bulk';
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

/** Texts of the pages that everyone has; those of operators are loaded with theirs. */
export const english = {
  ...accountEnglish,
  ...billingEnglish,
  ...bulkEnglish,
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
} as const;

export type English = typeof english & OperatorEnglish;
