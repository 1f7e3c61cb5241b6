import type { RequestHead } from '../../../gateway/protocols/protocol.ts';
import { headFor } from './request-head.ts';

/** The head of an ordinary chat-completions request. */
export const CHAT_HEAD: RequestHead = headFor('chat/completions');
