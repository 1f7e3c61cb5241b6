import { ENDPOINTS } from '../../gateway/protocols/registry.ts';
import type { RequestHead } from '../../gateway/protocols/protocol.ts';

const endpoint = ENDPOINTS.find(({ path }) => path === 'chat/completions');
if (endpoint === undefined) throw new Error('chat completions are not served');

/** The head of an ordinary chat-completions request. */
export const CHAT_HEAD: RequestHead = { endpoint, pathModel: null, query: '', headers: {} };
