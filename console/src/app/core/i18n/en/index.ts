import { accountEnglish } from './account';
import { billingEnglish } from './billing';
import { keysEnglish } from './keys';
import { modelsEnglish } from './models';
import { playgroundEnglish } from './playground';
import { problemsEnglish } from './problems';
import { sessionsEnglish } from './sessions';
import { shellEnglish } from './shell';
import { startEnglish } from './start';
import { usageEnglish } from './usage';

/** Every text of the console. */
export const english = {
  ...accountEnglish,
  ...billingEnglish,
  ...keysEnglish,
  ...modelsEnglish,
  ...playgroundEnglish,
  ...problemsEnglish,
  ...sessionsEnglish,
  ...shellEnglish,
  ...startEnglish,
  ...usageEnglish,
} as const;

export type English = typeof english;
