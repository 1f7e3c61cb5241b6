import type { NeutralMessage, ToolResultPart } from './request.ts';

/** The results of a conversation, by the ids of their calls. */
export class CallResults {
  readonly #byId = new Map<string, { readonly index: number; readonly result: ToolResultPart }[]>();
  readonly #taken = new Set<ToolResultPart>();

  constructor(messages: readonly NeutralMessage[]) {
    for (const [index, message] of messages.entries()) {
      if (message.role !== 'tool') continue;
      for (const result of message.parts) {
        const all = this.#byId.get(result.callId);
        if (all === undefined) this.#byId.set(result.callId, [{ index, result }]);
        else all.push({ index, result });
      }
    }
  }

  /** Returns the first result for a call of the message at `after` that none has taken yet. */
  take(callId: string, after: number): ToolResultPart | undefined {
    const found = this.#byId
      .get(callId)
      ?.find(({ index, result }) => index > after && !this.#taken.has(result));
    if (found !== undefined) this.#taken.add(found.result);
    return found?.result;
  }

  isTaken(result: ToolResultPart): boolean {
    return this.#taken.has(result);
  }
}

/**
 * Returns the messages with neighbouring ones of the assistant joined: calls at once must be in one
 * message, and some protocols have each of them in a message of its own.
 */
export function mergeAssistants(messages: readonly NeutralMessage[]): NeutralMessage[] {
  const merged: NeutralMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (message.role === 'assistant' && last?.role === 'assistant') {
      merged[merged.length - 1] = { role: 'assistant', parts: [...last.parts, ...message.parts] };
    } else merged.push(message);
  }
  return merged;
}
