import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import type { JsonObject } from '../../../../gateway/platform/json/json-value.ts';
import { countPrompt } from '../../../../gateway/protocols/anthropic-messages/from-client/count-prompt.ts';
import { encodeRequest } from '../../../../gateway/protocols/anthropic-messages/to-upstream/encode-request.ts';
import { neutralForm } from '../../../../gateway/protocols/anthropic-messages/neutral-form.ts';
import {
  parseRequest,
  type MessagesRequest,
} from '../../../../gateway/protocols/anthropic-messages/from-client/parse-request.ts';
import { readMessagesReply } from '../../../../gateway/protocols/anthropic-messages/pass-through/messages-reply.ts';
import { MessagesStream } from '../../../../gateway/protocols/anthropic-messages/pass-through/messages-stream.ts';
import { neutralForm as chat } from '../../../../gateway/protocols/openai-chat/neutral-form.ts';
import { REQUEST_LIMITS } from '../../../../gateway/protocols/protocol.ts';
import { messagesTarget } from '../../../support/clients/messages-request.ts';
import { fittedBody } from '../../../support/upstreams/fitted-body.ts';
import { targetOf } from '../../../support/upstreams/target.ts';
import { readMessageStrictly } from '../../../support/clients/messages-wire.ts';
import {
  recordedExchanges,
  type RecordedExchange,
} from '../../../support/clients/recorded-client.ts';

const RECORDED = recordedExchanges('messages');

function parse({ body, head }: RecordedExchange): MessagesRequest {
  const request = parseRequest(body, head, REQUEST_LIMITS);
  if (isRefusal(request)) throw new Error(request.message);
  return request;
}

describe.each(RECORDED.map((one) => [one.name, one] as const))('%s', (_name, recorded) => {
  const request = parse(recorded);
  const sent = JSON.parse(recorded.body.toString()) as JsonObject;

  it('passes every check, and leaves with another model and nothing else changed', () => {
    const { body: same } = encodeRequest(request, messagesTarget({ upstreamModel: request.model }));
    expect(same).toBe(request.bytes);
    const { body: renamed } = encodeRequest(request, messagesTarget());
    expect(JSON.parse(renamed.toString())).toEqual({ ...sent, model: 'claude-opus-5-0' });
  });

  it('is counted, and never above its bound', () => {
    const count = countPrompt('claude', recorded.body);
    let step = count.next();
    while (step.done !== true) step = count.next();
    expect(step.value).toBeGreaterThan(10);
    expect(step.value).toBeLessThanOrEqual(request.promptTokensBound);
  });

  it('goes to an upstream of chat completions unless it has tools of Anthropic’s alone', () => {
    const neutral = neutralForm.readRequest(request);
    if (recorded.name.startsWith('claude-code-websearch')) {
      expect(neutral).toMatchObject({ refused: 'invalid_value', param: 'tools[0].type' });
      return;
    }
    if (isRefusal(neutral)) throw new Error(neutral.message);
    const body = fittedBody(chat, neutral, targetOf({ upstreamModel: 'gpt-5.5' }));
    if (isRefusal(body)) throw new Error(body.message);
    const text = JSON.stringify(body);
    expect(text).not.toContain('x-anthropic-billing-header');
    expect(text).not.toContain('cache_control');
    const tools = (body['tools'] ?? []) as readonly { readonly function: { name: string } }[];
    expect(tools.map(({ function: { name } }) => name)).not.toContain('DeferredToolPlaceholder');
  });

  it('goes to the neutral form and back with its turns, texts, calls and thinking', () => {
    const neutral = neutralForm.readRequest(request);
    if (isRefusal(neutral)) return;
    const back = neutralForm.writeRequest(neutral, messagesTarget());
    if (isRefusal(back)) throw new Error(back.message);
    expect(turnsOf(back['messages'])).toEqual(turnsOf(sent['messages']));
  });

  if (recorded.events === undefined) {
    it('has a reply that is passed on as it came', () => {
      const body = Buffer.from(JSON.stringify(recorded.reply));
      const reply = readMessagesReply(body, request.model);
      expect(reply?.bytes).toBe(body);
      expect(reply?.usage).toMatchObject({ output: 50, extra: { cacheWrite1h: 40 } });
    });
  } else {
    const events = recorded.events.map((event) => Buffer.from(event));

    it('has a stream that is passed on as it came, but for the end', () => {
      const stream = new MessagesStream({
        publicModel: request.model,
        findFailure: () => undefined,
      });
      const passed = events.map((event) => stream.push(event));
      expect(passed.filter((bytes, index) => bytes === events[index])).toHaveLength(
        events.length - 2,
      );
      const all = Buffer.concat(passed).toString() + stream.endMarker(null);
      expect(all).toBe(Buffer.concat(events).toString());
      expect(readMessageStrictly(all).finished).toBe(true);
      expect(stream.usage).toEqual({
        input: 1_270,
        cachedInput: 200,
        cacheWrite: 30,
        output: 50,
        reasoning: expect.any(Number) as number,
        extra: { cacheWrite1h: 40 },
      });
    });
  }
});

/** Returns the parts of turns that every protocol carries. */
function turnsOf(messages: unknown): unknown[] {
  return (messages as readonly { role: string; content: unknown }[]).map(({ role, content }) => ({
    role,
    content:
      typeof content === 'string'
        ? [{ type: 'text', text: content }]
        : (content as readonly JsonObject[]).map(essence),
  }));
}

function essence(block: JsonObject): unknown {
  const { type, text, thinking, signature, name, input, id, tool_use_id: callId } = block;
  const { content } = block;
  const inner = Array.isArray(content)
    ? content.map((one: JsonObject) =>
        one['type'] === 'tool_reference'
          ? { type: 'text', text: `Tool loaded: ${String(one['tool_name'])}` }
          : essence(one),
      )
    : typeof content === 'string'
      ? [{ type: 'text', text: content }]
      : undefined;
  return { type, text, thinking, signature, name, input, id, callId, inner };
}
