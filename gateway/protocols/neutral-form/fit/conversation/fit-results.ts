import type { NeutralMessage, ToolCallPart, ToolResultPart, UserPart } from '../../request.ts';
import type { Fit } from '../fit-request.ts';
import { mergeAssistants } from './fit-parts.ts';

/** The result of a call whose result never came: without one, the upstream refuses the request. */
const INTERRUPTED = 'The call was interrupted and has no result.';
const ORPHAN = 'Result of a tool call that is not shown here:';

/**
 * Puts the results of calls where every vendor takes them: in one message behind the calls, in
 * their order, one for each. What came between them comes behind the results. A call without a
 * result gets one that says so; a result without a call becomes the user's text, which the model
 * may still need. `fitParts` has joined calls at once that came in several messages.
 */
export const fitResults: Fit = (request) => {
  const { messages } = request;
  if (isInOrder(messages)) return { request };
  const pairs = new ResultPairs(messages);
  const ordered = mergeAssistants(messages.flatMap((one) => placed(one, pairs)));
  return { request: { ...request, messages: ordered } };
};

function callsOf(message: NeutralMessage | undefined): readonly ToolCallPart[] {
  if (message?.role !== 'assistant') return [];
  return message.parts.filter((part) => part.type === 'tool_call');
}

function isInOrder(messages: readonly NeutralMessage[]): boolean {
  return messages.every((message, index) => {
    if (message.role === 'tool') return callsOf(messages[index - 1]).length > 0;
    const calls = callsOf(message);
    if (calls.length === 0) return true;
    const next = messages[index + 1];
    return (
      next?.role === 'tool' &&
      next.parts.length === calls.length &&
      calls.every(({ id }, at) => next.parts[at]?.callId === id)
    );
  });
}

interface OpenCall {
  readonly turn: number;
  readonly call: ToolCallPart;
}

/**
 * Pairs results with calls. Ids may be reused in later turns, and even within one: a result
 * is of the newest turn that waits for one by its id, and there of the first call.
 */
class ResultPairs {
  readonly #results = new Map<ToolCallPart, ToolResultPart>();
  readonly #orphans = new Set<ToolResultPart>();
  readonly #open = new Map<string, OpenCall[]>();

  constructor(messages: readonly NeutralMessage[]) {
    for (const [turn, message] of messages.entries()) {
      for (const call of callsOf(message)) {
        const open = this.#open.get(call.id);
        if (open === undefined) this.#open.set(call.id, [{ turn, call }]);
        else open.push({ turn, call });
      }
      if (message.role === 'tool') for (const result of message.parts) this.#pair(result);
    }
  }

  #pair(result: ToolResultPart): void {
    const open = this.#open.get(result.callId) ?? [];
    const newest = open.at(-1)?.turn;
    const [paired] = open.splice(
      Math.max(
        0,
        open.findIndex(({ turn }) => turn === newest),
      ),
      1,
    );
    if (paired === undefined) this.#orphans.add(result);
    else this.#results.set(paired.call, result);
  }

  of(call: ToolCallPart): ToolResultPart {
    return this.#results.get(call) ?? interrupted(call);
  }

  isOrphan(result: ToolResultPart): boolean {
    return this.#orphans.has(result);
  }
}

function interrupted({ id, name }: ToolCallPart): ToolResultPart {
  const content = [{ type: 'text', text: INTERRUPTED } as const];
  return { type: 'tool_result', callId: id, name, content, isError: true };
}

function placed(message: NeutralMessage, pairs: ResultPairs): readonly NeutralMessage[] {
  if (message.role === 'tool') {
    const said = message.parts.filter((part) => pairs.isOrphan(part)).flatMap(orphanParts);
    return said.length === 0 ? [] : [{ role: 'user', parts: said }];
  }
  const calls = callsOf(message);
  if (calls.length === 0) return [message];
  return [message, { role: 'tool', parts: calls.map((call) => pairs.of(call)) }];
}

function orphanParts({ content, isError }: ToolResultPart): readonly UserPart[] {
  const head = isError ? `${ORPHAN}\nError:` : ORPHAN;
  const [first, ...rest] = content;
  if (first?.type !== 'text') return [{ type: 'text', text: head }, ...content];
  return [{ ...first, text: `${head}\n${first.text}` }, ...rest];
}
