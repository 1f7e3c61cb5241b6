import { sseEvent, type WireReply } from './chat-wire.ts';
import { demoReply, readDemoRequest, type DemoRequest } from './demo-reply.ts';

/** Reads a completions request as one that was said to the demo; undefined when it is none. */
export function readDemoCompletions(body: unknown): DemoRequest | undefined {
  if (typeof body !== 'object' || body === null || !('prompt' in body)) return undefined;
  const prompts = Array.isArray(body.prompt) ? (body.prompt as unknown[]) : [body.prompt];
  const content = prompts.filter((prompt) => typeof prompt === 'string').join('\n');
  return readDemoRequest({ ...body, messages: [{ role: 'user', content }] });
}

/** The body of a reply of completions that is not streamed. */
export function demoCompletions(request: DemoRequest): object {
  const { identity, choices, usage } = demoReply(request);
  return {
    ...frame(identity),
    choices: choices.map(({ pieces, finishReason }, index) => ({
      text: [...pieces].join(''),
      index,
      logprobs: null,
      finish_reason: finishReason,
    })),
    usage,
  };
}

/** The events of a stream of completions, without the closing `[DONE]`. */
export function* demoCompletionEvents(request: DemoRequest): Generator<string> {
  const { identity, choices, usage } = demoReply(request);
  const base = frame(identity);
  const chunk = (index: number, text: string, reason: string | null): string =>
    sseEvent({ ...base, choices: [{ text, index, logprobs: null, finish_reason: reason }] });
  for (const [index, { pieces, finishReason }] of choices.entries()) {
    for (const text of pieces) yield chunk(index, text, null);
    yield chunk(index, '', finishReason);
  }
  if (request.includeUsage) yield sseEvent({ ...base, choices: [], usage });
}

function frame({ id, created, model }: WireReply['identity']): object {
  return { id: id.replace('chatcmpl', 'cmpl'), object: 'text_completion', created, model };
}
