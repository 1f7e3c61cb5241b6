import { describe, expect, it } from 'vitest';
import { ADVISORY_FIELDS } from '../../../../gateway/protocols/fields/advisory-fields.ts';
import { ScannedBody, stepsOf } from '../../../../gateway/protocols/fields/field-path.ts';
import { refusedAdvice } from '../../../../gateway/protocols/fields/refused-advice.ts';
import type { ProtocolId } from '../../../../gateway/protocols/protocol.ts';

const scanned = (body: object): ScannedBody => new ScannedBody(Buffer.from(JSON.stringify(body)));
const allocate = (bytes: number): Buffer => Buffer.allocUnsafe(bytes);

function left(body: object, protocol: ProtocolId, named: readonly string[]): unknown {
  const scan = scanned(body);
  const fields = refusedAdvice(scan, protocol, named);
  return fields.length === 0
    ? null
    : (JSON.parse(scan.without(fields, allocate).toString()) as unknown);
}

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };

describe('a field that an upstream refuses by name', () => {
  it.each<[string, object, ProtocolId, string, object]>([
    ['at the top', { ...CHAT, user: 'u' }, 'openai-chat', 'user', CHAT],
    ['in camel case', { ...CHAT, presence_penalty: 1 }, 'openai-chat', 'presencePenalty', CHAT],
    [
      'of each tool',
      { ...CHAT, tools: [{ type: 'function', function: { name: 'f', strict: true } }] },
      'openai-chat',
      'tools[0].function.strict',
      { ...CHAT, tools: [{ type: 'function', function: { name: 'f' } }] },
    ],
    [
      'behind the kind of a tool',
      { ...CHAT, tools: [{ name: 'f', strict: true }, { name: 'g' }] },
      'anthropic-messages',
      'tools.0.custom.strict',
      { ...CHAT, tools: [{ name: 'f' }, { name: 'g' }] },
    ],
    [
      'in a conversation',
      { model: 'm', messages: [{ role: 'assistant', content: 'a', reasoning_content: 'r' }] },
      'openai-chat',
      'messages.reasoning_content',
      { model: 'm', messages: [{ role: 'assistant', content: 'a' }] },
    ],
    [
      'in a reply that came back as it was (anomalyco/opencode#23193)',
      {
        model: 'm',
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'a', refusal: null, annotations: [] },
        ],
      },
      'openai-chat',
      'messages[1].refusal',
      {
        model: 'm',
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: 'a', annotations: [] },
        ],
      },
    ],
    [
      'of a call that came back as it was streamed',
      { model: 'm', messages: [{ role: 'assistant', tool_calls: [{ id: 'c', index: 0 }] }] },
      'openai-chat',
      'messages.0.assistant.tool_calls.0.index',
      { model: 'm', messages: [{ role: 'assistant', tool_calls: [{ id: 'c' }] }] },
    ],
    [
      'in an object that would be empty without it',
      { ...CHAT, reasoning: { summary: 'auto' } },
      'openai-responses',
      'reasoning.summary',
      CHAT,
    ],
    [
      'as a whole object that has nothing but advice',
      { ...CHAT, reasoning: { effort: 'low', summary: 'auto' } },
      'openai-responses',
      'reasoning',
      CHAT,
    ],
    [
      'in Google’s other spelling',
      { contents: [], generation_config: { thinking_config: { thinking_level: 'low' }, top_k: 3 } },
      'gemini',
      'generation_config.thinking_config.thinkingLevel',
      { contents: [], generation_config: { top_k: 3 } },
    ],
    [
      'wherever it is',
      { ...CHAT, system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }] },
      'anthropic-messages',
      '*.cache_control',
      { ...CHAT, system: [{ type: 'text', text: 's' }] },
    ],
    [
      'as a part of a mark of the cache',
      { ...CHAT, system: [{ text: 's', cache_control: { type: 'ephemeral', scope: 'global' } }] },
      'anthropic-messages',
      'system.1.cache_control.ephemeral.scope',
      { ...CHAT, system: [{ text: 's', cache_control: { type: 'ephemeral' } }] },
    ],
  ])('is left out %s', (...[, body, protocol, named, expected]) => {
    expect(left(body, protocol, [named])).toEqual(expected);
  });

  it.each<[string, object, ProtocolId, string]>([
    ['the request does not have it', CHAT, 'openai-chat', 'temperature'],
    [
      'it is a format',
      { ...CHAT, response_format: { type: 'x' } },
      'openai-chat',
      'response_format',
    ],
    ['it is the conversation', CHAT, 'openai-chat', 'messages'],
    ['it is the limit', { ...CHAT, max_tokens: 3 }, 'openai-chat', 'max_tokens'],
    ['it is the tools', { ...CHAT, tools: [] }, 'openai-chat', 'tools'],
    [
      'it is an object with more than advice',
      { ...CHAT, text: { verbosity: 'low', format: { type: 'json_object' } } },
      'openai-responses',
      'text',
    ],
    [
      'it is a member of the client’s own in an advisory object',
      { ...CHAT, reasoning: { effort: 'low', mine: 1 } },
      'openai-responses',
      'reasoning.mine',
    ],
    [
      'it has the name of advice in the schema of a tool',
      { ...CHAT, tools: [{ parameters: { properties: { user: {} } } }], user: 'u' },
      'openai-chat',
      'tools[0].parameters.properties.user',
    ],
    [
      'it is a mark on thinking alone',
      { ...CHAT, messages: [{ content: [{ type: 'text', cache_control: {} }] }] },
      'anthropic-messages',
      'messages.1.content.0.thinking.cache_control',
    ],
  ])('stays where %s', (_name, body, protocol, named) => {
    expect(left(body, protocol, [named])).toBeNull();
  });

  it('can be every field of the table, and nothing else of a body is lost', () => {
    for (const [protocol, advice] of Object.entries(ADVISORY_FIELDS)) {
      for (const path of Object.keys(advice)) {
        const field = stepsOf(path).reduceRight<unknown>((inner, step) => ({ [step]: inner }), 1);
        const body = { ...(field as object), kept: [1.5, 'a'] };
        expect([path, left(body, protocol as ProtocolId, [path])]).toEqual([
          path,
          { kept: [1.5, 'a'] },
        ]);
      }
    }
  });
});
