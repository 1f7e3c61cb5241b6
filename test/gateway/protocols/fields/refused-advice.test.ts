import { describe, expect, it } from 'vitest';
import { ADVISORY_FIELDS } from '../../../../gateway/protocols/fields/advisory-fields.ts';
import { ScannedBody, stepsOf } from '../../../../gateway/protocols/fields/field-path.ts';
import { refusedAdvice } from '../../../../gateway/protocols/fields/refused-advice.ts';
import type { UpstreamProtocolId } from '../../../../gateway/protocols/protocol.ts';

const scanned = (body: object): ScannedBody => new ScannedBody(Buffer.from(JSON.stringify(body)));
const allocate = (bytes: number): Buffer => Buffer.allocUnsafe(bytes);

function left(body: object, protocol: UpstreamProtocolId, named: readonly string[]): unknown {
  const scan = scanned(body);
  const fields = refusedAdvice(scan, protocol, named);
  return fields.length === 0
    ? null
    : (JSON.parse(scan.without(fields, allocate).toString()) as unknown);
}

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };

describe('a field that an upstream refuses by name', () => {
  it.each<[string, object, UpstreamProtocolId, string, object]>([
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
      'of each tool, without its place',
      { model: 'm', tools: [{ type: 'web_search', search_content_types: ['text'] }] },
      'openai-responses',
      'tools[].search_content_types',
      { model: 'm', tools: [{ type: 'web_search' }] },
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
      'as a whole object that has what no table knows',
      { ...CHAT, reasoning: { effort: 'low', mine: 1 } },
      'openai-responses',
      'reasoning',
      CHAT,
    ],
    [
      'as a whole object with all its parts',
      { ...CHAT, thinking: { type: 'enabled', budget_tokens: 1024, mine: 1 } },
      'anthropic-messages',
      'thinking',
      CHAT,
    ],
    [
      'as a whole object with a hint about the budget',
      { ...CHAT, output_config: { effort: 'low', task_budget: { type: 'tokens', total: 9 } } },
      'anthropic-messages',
      'output_config',
      CHAT,
    ],
    [
      'as a whole object whose format is the default',
      { ...CHAT, text: { verbosity: 'low', format: { type: 'text' } } },
      'openai-responses',
      'text',
      CHAT,
    ],
    [
      'as a switch for parallel calls in a choice that is the default',
      { ...CHAT, tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
      'anthropic-messages',
      'tool_choice',
      CHAT,
    ],
    ['where its value is the default', { ...CHAT, n: 1 }, 'openai-chat', 'n', CHAT],
    [
      'as a member with no value of a reply that came back',
      { model: 'm', messages: [{ role: 'assistant', content: 'a', function_call: null }] },
      'openai-chat',
      'messages[0].function_call',
      { model: 'm', messages: [{ role: 'assistant', content: 'a' }] },
    ],
    [
      'inside an object that can only be left out whole',
      {
        ...CHAT,
        context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      },
      'anthropic-messages',
      'context_management.edits.0.keep',
      CHAT,
    ],
    [
      'as Google’s object for thinking, by its name alone',
      { contents: [], generationConfig: { thinkingConfig: { thinkingBudget: 5 }, topK: 3 } },
      'gemini',
      'thinkingConfig',
      { contents: [], generationConfig: { topK: 3 } },
    ],
    [
      'of the model’s own over Converse, in the words of the model',
      { messages: [], additionalModelRequestFields: { thinking: { type: 'enabled' }, top_k: 3 } },
      'bedrock-converse',
      'thinking',
      { messages: [], additionalModelRequestFields: { top_k: 3 } },
    ],
    [
      'as a block of its own',
      { system: [{ text: 's' }, { cachePoint: { type: 'default' } }] },
      'bedrock-converse',
      'system.1.cachePoint',
      { system: [{ text: 's' }] },
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

  it.each<[string, object, UpstreamProtocolId, string]>([
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
      'it is an object with a format in it',
      { ...CHAT, output_config: { effort: 'low', format: { type: 'json_schema', schema: {} } } },
      'anthropic-messages',
      'output_config',
    ],
    ['its value is not the default', { ...CHAT, n: 2 }, 'openai-chat', 'n'],
    [
      'it is the limit of Google’s',
      { contents: [], generationConfig: { temperature: 1, maxOutputTokens: 5 } },
      'gemini',
      'generationConfig',
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
        const [, only = '1'] = path.split('=');
        const value = /^(?:\d|null|false)/.test(only) ? (JSON.parse(only) as unknown) : only;
        const field = stepsOf(path).reduceRight((inner, step) => ({ [step]: inner }), value);
        const body = { ...(field as object), kept: [1.5, 'a'] };
        expect([path, left(body, protocol as UpstreamProtocolId, [path])]).toEqual([
          path,
          { kept: [1.5, 'a'] },
        ]);
      }
    }
  });
});
