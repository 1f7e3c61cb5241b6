import fc from 'fast-check';
import { expect, it } from 'vitest';
import { neutralForm as claude } from '../../../../../../gateway/protocols/anthropic-messages/neutral-form.ts';
import type { NeutralRequest } from '../../../../../../gateway/protocols/neutral-form/request.ts';
import { neutralForm as chat } from '../../../../../../gateway/protocols/openai-chat/neutral-form.ts';
import { parseRequest } from '../../../../../../gateway/protocols/openai-chat/from-client/parse-request.ts';
import { REQUEST_LIMITS } from '../../../../../../gateway/protocols/protocol.ts';
import { HANG_MS } from '../../../../../support/clocks/hang.ts';
import { CHAT_HEAD } from '../../../../../support/clients/chat-head.ts';
import { messagesTarget } from '../../../../../support/clients/messages-request.ts';
import { targetOf } from '../../../../../support/upstreams/target.ts';
import { found, neutral, written } from './neutral-form.ts';

export const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((value) => value.trim() !== '');
export const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/);
const url = fc.constantFrom('data:image/png;base64,AA==', 'https://example.com/a.png');
const image = url.map((value) => ({ type: 'image_url', image_url: { url: value } }));
const textPart = text.map((value) => ({ type: 'text', text: value }));
const content = fc.oneof(
  text,
  fc
    .tuple(textPart, image, fc.array(fc.oneof(textPart, image), { maxLength: 3 }))
    .map(([first, second, others]) => [first, second, ...others]),
);
export const input = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()), {
  noNullPrototype: true,
});

/** A user's message and what came of it: calls with their results, and an answer. */
const turn = fc.record({
  user: content,
  system: fc.option(text, { nil: undefined }),
  calls: fc.array(fc.record({ name, input, result: text }), { maxLength: 3 }),
  before: fc.option(text, { nil: undefined }),
  answer: text,
});

const conversation = fc.array(turn, { minLength: 1, maxLength: 4 }).map((turns) =>
  turns.flatMap(({ user, system, calls, before, answer }, turnIndex) => {
    const id = (index: number): string => `call_${String(turnIndex)}_${String(index)}`;
    const tool_calls = calls.map((call, index) => ({
      id: id(index),
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.input) },
    }));
    const results = calls.map(({ result }, index) => ({
      role: 'tool',
      tool_call_id: id(index),
      content: result,
    }));
    const calling = { role: 'assistant', content: before ?? null, tool_calls };
    return [
      ...(system === undefined ? [] : [{ role: 'system', content: system }]),
      { role: 'user', content: user },
      ...(calls.length === 0 ? [] : [calling, ...results]),
      { role: 'assistant', content: answer },
    ];
  }),
);

function neutralChat(list: readonly object[]): NeutralRequest {
  const body = Buffer.from(JSON.stringify({ model: 'public-model', messages: list }));
  return found(chat.readRequest(found(parseRequest(body, CHAT_HEAD, REQUEST_LIMITS))));
}

/** The body without a fit, for conversations that are in order. */
function toAnthropic(list: readonly object[]): object {
  const body = found(claude.writeRequest(neutralChat(list), messagesTarget()));
  return JSON.parse(JSON.stringify(body)) as object;
}

/** The way back, without a fit. */
function toChat(body: object): unknown {
  const request = chat.writeRequest(neutral(body), targetOf({ upstreamModel: 'gpt-5.5' }));
  return (JSON.parse(JSON.stringify(found(request))) as { messages: unknown }).messages;
}

/** A fraction of what a machine makes in `HANG_MS`. */
const RUNS_PER_HANG = 1_000;

/** Generated conversations, on their way from chat completions to Messages and back. */
export function describeConversations(runs: number): void {
  const hangs = { timeout: (HANG_MS * Math.max(runs, RUNS_PER_HANG)) / RUNS_PER_HANG };

  it(
    'a conversation that goes to Messages and back keeps roles, order, texts, calls and results',
    hangs,
    () => {
      fc.assert(
        fc.property(conversation, (list) => {
          expect(toChat(toAnthropic(list))).toEqual(list);
        }),
        { numRuns: runs },
      );
    },
  );

  it(
    'what goes to Anthropic has a result for each call, first in the turn behind it',
    hangs,
    () => {
      fc.assert(
        fc.property(conversation, fc.gen(), (list, random) => {
          // Interrupted: some messages are lost.
          const kept = random(() => fc.shuffledSubarray(list, { minLength: 1 }));
          const ordered = list.filter((message) => kept.includes(message));
          const fitted = written(neutralChat(ordered), { upstreamModel: 'claude-sonnet-4-5' });
          const { messages: turns } = fitted as {
            messages: {
              role: string;
              content: { type: string; id?: string; tool_use_id?: string }[];
            }[];
          };
          turns.forEach(({ role, content: blocks }, index) => {
            expect(blocks.length).toBeGreaterThan(0);
            expect(turns[index + 1]?.role).not.toBe(role);
            const called = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id);
            if (called.length === 0) return;
            const answered = (turns[index + 1]?.content ?? []).slice(0, called.length);
            expect(answered.map((block) => block.tool_use_id).toSorted()).toEqual(
              called.toSorted(),
            );
          });
        }),
        { numRuns: runs },
      );
    },
  );
}
