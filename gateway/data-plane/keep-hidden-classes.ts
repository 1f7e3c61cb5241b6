import type { ClientReply } from './client-reply.ts';
import type { ParsedRequest } from '../protocols/protocol.ts';
import type { ThreadContext } from './thread-context.ts';

/** Keeps the objects of a request that was served as most are, without its prompt and its reply. */
export function keepHiddenClasses(
  client: ClientReply,
  { stream }: ParsedRequest,
  { hiddenClasses }: ThreadContext,
): void {
  const nowMs = Date.now();
  const kind = stream ? 'stream' : 'whole';
  if (hiddenClasses.isDue(kind, nowMs) && client.attempt?.wipe() === true) {
    hiddenClasses.keep(kind, client, nowMs);
  }
}
