import type { CONTENT_LOG_ROUTES } from '@weir/shared/api/admin-routes/content-log';
import type { HandlersOf } from '../api/call.ts';
import { getContentPolicy, updateContentPolicy } from './content-policy.ts';
import { getContent, getOwnContent } from './read-content.ts';
import { setContentLog } from './set-content-log.ts';

export const contentLogHandlers: HandlersOf<typeof CONTENT_LOG_ROUTES> = {
  setContentLog,
  getOwnContent,
  getContent,
  getContentPolicy,
  updateContentPolicy,
};
