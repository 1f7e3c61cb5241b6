import { problemsChinese } from './problems';
import { sessionsChinese } from './sessions';
import { shellChinese } from './shell';

/** Every text of the console. */
export const chinese = {
  ...problemsChinese,
  ...sessionsChinese,
  ...shellChinese,
};
