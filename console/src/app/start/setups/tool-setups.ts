import { AGENTS } from './agent-setups';
import { CHATS } from './chat-setups';
import { LIBRARIES } from './library-setups';
import type { Tool } from './tool-setup';

/**
 * The setup of each tool for the gateway: the exact base address and settings. Clients differ in
 * whether they add `/v1` themselves; a wrong guess doubles it or leaves it out.
 */
export const TOOLS: readonly Tool[] = [...LIBRARIES, ...AGENTS, ...CHATS];
