import type { NeutralRequest } from '../../request.ts';

/** Adds an instruction of Weir's behind those that the client's conversation begins with. */
export function addInstruction(request: NeutralRequest, text: string): NeutralRequest {
  const { messages } = request;
  const first = messages.findIndex(({ role }) => role !== 'system');
  const at = first === -1 ? messages.length : first;
  const instruction = { role: 'system', parts: [{ type: 'text', text }] } as const;
  return { ...request, messages: [...messages.slice(0, at), instruction, ...messages.slice(at)] };
}
