import { problemsEnglish } from './problems';
import { sessionsEnglish } from './sessions';
import { shellEnglish } from './shell';

/** Every text of the console. */
export const english = {
  ...problemsEnglish,
  ...sessionsEnglish,
  ...shellEnglish,
} as const;

export type English = typeof english;
