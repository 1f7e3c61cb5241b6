import { agents } from './agent-setups';
import { chats } from './chat-setups';
import { libraries } from './library-setups';
import type { SetupValues, ToolSetup } from './tool-setup';

/**
 * How each tool is pointed at the gateway: the exact base address and settings. Clients differ in
 * whether they add `/v1` themselves; a wrong guess doubles it or leaves it out.
 */
export function toolSetups(values: SetupValues): readonly ToolSetup[] {
  return [...libraries(values), ...agents(values), ...chats(values)];
}
