import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import type {
  NeutralMessage,
  NeutralTool,
  UserPart,
} from '../../../../gateway/protocols/neutral-form/request.ts';
import { profileOf } from '../../../../gateway/providers/profiles/profile-of.ts';
import { bodyOf, CLAUDE, HELLO, NOVA, written } from './support/converse.ts';

const LLAMA = 'us.meta.llama3-3-70b-instruct-v1:0';
const OPUS = 'global.anthropic.claude-opus-4-6-v1';
const MARK = { ttl: '5m' } as const;
const HOUR = { ttl: '1h' } as const;
const POINT = { cachePoint: { type: 'default' } };

const TOOL: NeutralTool = {
  name: 'look_up',
  description: 'Looks up.',
  schema: { type: 'object', properties: { city: { type: 'string' } } },
};
const CALLED: readonly NeutralMessage[] = [
  { role: 'user', parts: [{ type: 'text', text: 'Where?' }] },
  {
    role: 'assistant',
    parts: [
      {
        type: 'tool_call',
        id: 'call_1',
        name: 'look_up',
        input: '{"city":"Rome"}',
        freeForm: false,
      },
    ],
  },
  {
    role: 'tool',
    parts: [
      {
        type: 'tool_result',
        callId: 'call_1',
        content: [{ type: 'text', text: 'There.' }],
        isError: false,
      },
    ],
  },
];
const PDF = { base64: 'JVBERi0xLjQ=', mediaType: 'application/pdf' };
const PNG = { base64: 'iVBORw0KGgoAAAAA', mediaType: 'image/png' };

function user(...parts: readonly UserPart[]): NeutralMessage {
  return { role: 'user', parts };
}

function contentOf(parts: readonly UserPart[], model = CLAUDE): unknown {
  const [message] = bodyOf({ messages: [user(...parts)] }, model)['messages'] as {
    content: unknown;
  }[];
  return message?.content;
}

describe('a request to Converse', () => {
  it('has limits, sampling and stop sequences, and asks a Claude which sequence came', () => {
    const fields = { maxOutputTokens: 100, temperature: 0.5, stop: ['END', '  '], topK: 5 };
    expect(bodyOf(fields)).toEqual({
      messages: [{ role: 'user', content: [{ text: 'Hi' }] }],
      inferenceConfig: { maxTokens: 100, temperature: 0.5, stopSequences: ['END'] },
      additionalModelRequestFields: { top_k: 5 },
      additionalModelResponseFieldPaths: ['/stop_sequence', '/delta/stop_sequence'],
    });
    expect(bodyOf(fields, NOVA)['inferenceConfig']).toEqual({
      ...{ maxTokens: 100, temperature: 0.5, stopSequences: ['END', '  '] },
    });
  });

  it('names a limit for a Claude, whose default at Bedrock is 4,096 tokens', () => {
    expect(bodyOf({})['inferenceConfig']).toEqual({ maxTokens: 4_096 });
    expect(bodyOf({}, CLAUDE, { outputTokensMax: 64_000 })['inferenceConfig']).toEqual({
      maxTokens: 64_000,
    });
    expect(bodyOf({}, NOVA)).toEqual({ messages: [{ role: 'user', content: [{ text: 'Hi' }] }] });
  });

  it('leaves stop sequences to Weir where the model refuses them', () => {
    expect(bodyOf({ stop: ['END'] }, LLAMA)).not.toHaveProperty('inferenceConfig');
  });

  it('has the system prompt apart, with its cache points', () => {
    const parts = [{ type: 'text', text: 'Be brief.', cache: MARK }] as const;
    const body = bodyOf({ messages: [{ role: 'system', parts }, ...HELLO.messages] });
    expect(body['system']).toEqual([{ text: 'Be brief.' }, POINT]);
  });

  it('has images and documents as bytes', () => {
    const parts: readonly UserPart[] = [
      { type: 'text', text: 'Look' },
      { type: 'image', source: PNG },
      { type: 'file', source: PDF, name: 'report.v2.pdf' },
    ];
    expect(contentOf(parts)).toEqual([
      { text: 'Look' },
      { image: { format: 'png', source: { bytes: PNG.base64 } } },
      { document: { format: 'pdf', name: 'report v2', source: { bytes: PDF.base64 } } },
    ]);
  });

  it('has bytes with the padding that clients leave out', () => {
    const source = { base64: 'iVBORw0KGgoAAAA', mediaType: 'image/png' };
    expect(contentOf([{ type: 'image', source }])).toEqual([
      { image: { format: 'png', source: { bytes: 'iVBORw0KGgoAAAA=' } } },
    ]);
  });

  it('has thinking with its signature, encrypted reasoning, and no reasoning of others', () => {
    const parts = [
      { type: 'reasoning', text: 'T', proof: { of: 'anthropic-messages', value: 'SIG' } },
      {
        type: 'reasoning',
        text: '',
        proof: { of: 'bedrock-converse', value: 'AAAA', redacted: true },
      },
      { type: 'reasoning', text: 'G', proof: { of: 'gemini', value: 'x' } },
      { type: 'reasoning', text: 'unsigned' },
      { type: 'text', text: 'A' },
    ] as const;
    const messages = [...HELLO.messages, { role: 'assistant', parts } as const, ...HELLO.messages];
    expect((bodyOf({ messages })['messages'] as object[])[1]).toEqual({
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: 'T', signature: 'SIG' } } },
        { reasoningContent: { redactedContent: 'AAAA' } },
        { text: 'A' },
      ],
    });
    expect((bodyOf({ messages }, NOVA)['messages'] as object[])[1]).toEqual({
      role: 'assistant',
      content: [{ text: 'A' }],
    });
  });

  it('has no turn of nothing but reasoning (hermes-agent 105780)', () => {
    const proof = { of: 'anthropic-messages', value: 'SIG' } as const;
    const parts = [{ type: 'reasoning', text: 'T', proof }] as const;
    const messages = [...HELLO.messages, { role: 'assistant', parts } as const, ...HELLO.messages];
    expect(bodyOf({ messages })['messages']).toEqual([
      { role: 'user', content: [{ text: 'Hi' }, { text: 'Hi' }] },
    ]);
  });

  it('asks for a JSON schema where the model compiles it', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    const format = { type: 'json_schema', name: 'reply', schema } as const;
    expect(bodyOf({ format })['outputConfig']).toEqual({
      textFormat: {
        type: 'json_schema',
        structure: { jsonSchema: { schema: JSON.stringify(schema), name: 'reply' } },
      },
    });
    expect(bodyOf({ format }, NOVA)).not.toHaveProperty('outputConfig');
  });

  it.each([
    [
      'a budget',
      CLAUDE,
      { effort: 'low' },
      { thinking: { type: 'enabled', budget_tokens: 2_048 } },
      undefined,
    ],
    [
      'adaptive thinking with an effort',
      OPUS,
      { effort: 'high' },
      { thinking: { type: 'adaptive', display: 'summarized' } },
      { effort: 'high' },
    ],
    [
      'an effort of the model’s own',
      'qwen.qwen3-32b-v1:0',
      { effort: 'high' },
      { reasoning_config: 'high' },
      undefined,
    ],
    [
      'gpt-oss',
      'openai.gpt-oss-120b-1:0',
      { effort: 'low' },
      { reasoning_effort: 'low' },
      undefined,
    ],
    [
      'Nova 2',
      'us.amazon.nova-2-lite-v1:0',
      { effort: 'low' },
      { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } },
      undefined,
    ],
    ['nothing', LLAMA, { effort: 'high' }, undefined, undefined],
  ] as const)('is told how much to think by %s', (_name, model, fields, additional, config) => {
    const body = bodyOf(fields, model, { outputTokensMax: 8_000 });
    expect(body['additionalModelRequestFields']).toEqual(additional);
    expect(body['outputConfig']).toEqual(config);
  });

  it('asks for a tier that Bedrock has', () => {
    expect(bodyOf({}, NOVA, { tier: 'priority' })['serviceTier']).toEqual({ type: 'priority' });
    expect(bodyOf({}, NOVA, { tier: 'fast' })).not.toHaveProperty('serviceTier');
  });

  it.each([
    [{ choices: 2 }, 'n'],
    [{ logprobs: 0 }, 'logprobs'],
    [{ messages: [user({ type: 'audio', base64: 'AAAA', format: 'wav' })] }, 'messages'],
    [
      { messages: [user({ type: 'image', source: { url: 'https://example.com/a.png' } })] },
      'messages',
    ],
    [
      {
        messages: [
          user({ type: 'file', source: { base64: 'AAAA', mediaType: 'application/zip' } }),
        ],
      },
      'messages',
    ],
  ])('is refused by the name of the field: %j', (fields, param) => {
    const refused = written(fields);
    expect(isRefusal(refused) && refused.param).toBe(param);
  });
});

describe('tools over Converse', () => {
  it('are specs, with calls and results in the conversation', () => {
    const body = bodyOf({ messages: CALLED, tools: [TOOL], toolChoice: { mode: 'required' } });
    expect(body['toolConfig']).toEqual({
      tools: [
        {
          toolSpec: {
            name: 'look_up',
            description: 'Looks up.',
            inputSchema: { json: TOOL.schema },
          },
        },
      ],
      toolChoice: { any: {} },
    });
    expect((body['messages'] as object[]).slice(1)).toEqual([
      {
        role: 'assistant',
        content: [{ toolUse: { toolUseId: 'call_1', name: 'look_up', input: { city: 'Rome' } } }],
      },
      {
        role: 'user',
        content: [{ toolResult: { toolUseId: 'call_1', content: [{ text: 'There.' }] } }],
      },
    ]);
  });

  it('say that a result is an error, and never have an empty one', () => {
    const result = { type: 'tool_result', callId: 'call_1', content: [], isError: true } as const;
    const messages = [...CALLED.slice(0, 2), { role: 'tool', parts: [result] } as const];
    expect((bodyOf({ messages })['messages'] as { content: unknown }[])[2]?.content).toEqual([
      {
        toolResult: {
          toolUseId: 'call_1',
          content: [{ text: 'The tool returned nothing.' }],
          status: 'error',
        },
      },
    ]);
  });

  it('take the place of those that were called, where none is offered (pentagi 160)', () => {
    const { toolConfig } = bodyOf({ messages: CALLED }, NOVA) as {
      toolConfig: { tools: { toolSpec: { name: string } }[] };
    };
    expect(toolConfig.tools.map(({ toolSpec }) => toolSpec.name)).toEqual(['look_up']);
    expect(bodyOf({}, NOVA)).not.toHaveProperty('toolConfig');
  });

  it('are not called where the choice is none: a Claude keeps them, others are offered none', () => {
    const request = { messages: CALLED, tools: [TOOL], toolChoice: { mode: 'none' } } as const;
    expect(bodyOf(request)).toMatchObject({
      toolConfig: { tools: [{ toolSpec: { description: 'Looks up.' } }] },
      additionalModelRequestFields: { tool_choice: { type: 'none' } },
    });
    expect(bodyOf(request, NOVA)).toMatchObject({
      toolConfig: {
        tools: [{ toolSpec: { description: expect.stringContaining('not available') } }],
      },
    });
    expect(bodyOf({ ...request, messages: HELLO.messages }, NOVA)).not.toHaveProperty('toolConfig');
  });

  it('are called one at a time by a Claude that is told so', () => {
    const body = bodyOf({
      tools: [TOOL],
      toolChoice: { mode: 'required' },
      parallelToolCalls: false,
    });
    expect(body['toolConfig']).not.toHaveProperty('toolChoice');
    expect(body['additionalModelRequestFields']).toEqual({
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    });
  });

  it('have ids of nine letters for Mistral, whose results keep them (vercel/ai 11802)', () => {
    const { messages } = bodyOf(
      { messages: CALLED, tools: [TOOL] },
      'us.mistral.pixtral-large-2502-v1:0',
    ) as {
      messages: { content: Record<string, { toolUseId: string }>[] }[];
    };
    const id = messages[1]?.content[0]?.['toolUse']?.toolUseId;
    expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
    expect(messages[2]?.content[0]?.['toolResult']?.toolUseId).toBe(id);
  });

  it('show a document behind their results in a turn of its own (pydantic-ai 6081)', () => {
    const document = user({ type: 'file', source: PDF }, { type: 'text', text: 'Read' });
    const { messages } = bodyOf({ messages: [...CALLED, document], tools: [TOOL] }) as {
      messages: { role: string }[];
    };
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ]);
  });
});

describe('cache points', () => {
  it('stand behind the tool that is marked (bifrost 5629)', () => {
    const tools = [
      { ...TOOL, cache: MARK },
      { ...TOOL, name: 'other' },
    ];
    expect(bodyOf({ tools })['toolConfig']).toMatchObject({
      tools: [{ toolSpec: { name: 'look_up' } }, POINT, { toolSpec: { name: 'other' } }],
    });
  });

  it('are kept from the tools of a Nova, and from models without a cache (LibreChat 13838)', () => {
    const messages = [user({ type: 'text', text: 'Hi', cache: MARK })];
    const request = { messages, tools: [{ ...TOOL, cache: MARK }] };
    expect(bodyOf(request, NOVA)).toMatchObject({
      messages: [{ content: [{ text: 'Hi' }, POINT] }],
      toolConfig: { tools: [{ toolSpec: {} }] },
    });
    expect(JSON.stringify(bodyOf(request, NOVA)).split('cachePoint').length - 1).toBe(1);
    expect(JSON.stringify(bodyOf(request, LLAMA))).not.toContain('cachePoint');
  });

  it('last an hour where that is asked for and the model takes it', () => {
    const messages = [user({ type: 'text', text: 'Hi', cache: HOUR })];
    const ttl = (model: string): unknown =>
      (bodyOf({ messages }, model)['messages'] as { content: unknown[] }[])[0]?.content[1];
    expect(ttl(CLAUDE)).toEqual({ cachePoint: { type: 'default', ttl: '1h' } });
    expect(ttl('us.anthropic.claude-3-7-sonnet-20250219-v1:0')).toEqual(POINT);
    expect(ttl(NOVA)).toEqual(POINT);
  });

  it('are four at most: the last ones cover the longest prompts', () => {
    const parts = ['a', 'b', 'c', 'd', 'e'].map(
      (text) => ({ type: 'text', text, cache: MARK }) as const,
    );
    const content = [{ text: 'a' }, ...['b', 'c', 'd', 'e'].flatMap((text) => [{ text }, POINT])];
    expect(contentOf(parts)).toEqual(content);
  });

  it('come from a mark within a result, and stand behind it', () => {
    const content = [{ type: 'text', text: 'R', cache: MARK }] as const;
    const result = { type: 'tool_result', callId: 'call_1', content, isError: false } as const;
    const messages = [...CALLED.slice(0, 2), { role: 'tool', parts: [result] } as const];
    expect((bodyOf({ messages })['messages'] as { content: object[] }[])[2]?.content[1]).toEqual(
      POINT,
    );
  });

  it('cover the whole prompt of a client that names a cache and marks nothing', () => {
    expect(bodyOf({ cacheKey: 'k' })['messages']).toEqual([
      { role: 'user', content: [{ text: 'Hi' }, POINT] },
    ]);
  });

  it('reach an application profile whose model the operator has named (litellm 26625)', () => {
    const arn = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc';
    const upstreamProtocol = 'bedrock-converse';
    const at = { kind: 'openai', baseUrl: 'https://x.test', upstreamModel: arn } as const;
    const profile = profileOf({ ...at, upstreamProtocol, chosen: 'bedrock/claude-4.5' });
    const messages = [user({ type: 'text', text: 'Hi', cache: MARK })];
    expect(bodyOf({ messages }, arn, { profile })['messages']).toEqual([
      { role: 'user', content: [{ text: 'Hi' }, POINT] },
    ]);
  });
});

describe('documents', () => {
  function namesOf(...names: readonly (string | undefined)[]): string[] {
    const parts = names.map(
      (name) => ({ type: 'file', source: PDF, ...(name === undefined ? {} : { name }) }) as const,
    );
    return (contentOf(parts) as { document?: { name: string } }[]).flatMap(
      ({ document }) => document?.name ?? [],
    );
  }

  it.each([
    ["John's report #1.pdf", 'John s report 1'],
    ['テスト　資料.pdf', 'document'],
    ['a  b\tc.pdf', 'a b c'],
    ['slack-file://F0XXXX', 'slack-file F0XXXX'],
    ['.pdf', 'document'],
    ['a(1)[2]-x', 'a(1)[2]-x'],
    ['x'.repeat(300), 'x'.repeat(190)],
  ])('called %s are called %s (vercel/ai 20365)', (given, name) => {
    expect(namesOf(given)).toEqual([name]);
  });

  it('never have a name twice, in whatever case (bifrost 7003)', () => {
    expect(namesOf(undefined, undefined, 'a.pdf', 'A.PDF', 'a 2.pdf')).toEqual([
      ...['document', 'document 2', 'a', 'A 2', 'a 2 2'],
    ]);
  });

  it('come with a text, which Bedrock wants', () => {
    expect(contentOf([{ type: 'file', source: PDF }])).toEqual([
      { text: 'See the attached document.' },
      { document: { format: 'pdf', name: 'document', source: { bytes: PDF.base64 } } },
    ]);
  });

  it('that are texts are texts, which keeps their place and their cache point', () => {
    const source = { base64: Buffer.from('a,b').toString('base64'), mediaType: 'text/csv' };
    expect(contentOf([{ type: 'file', source, name: 'a.csv', cache: MARK }])).toEqual([
      { text: 'a.csv\na,b' },
      POINT,
    ]);
  });

  it('have a cache point behind them for a Claude, not for a Nova', () => {
    const parts: readonly UserPart[] = [
      { type: 'text', text: 'Read' },
      { type: 'file', source: PDF, cache: MARK },
    ];
    expect((contentOf(parts) as unknown[]).at(-1)).toEqual(POINT);
    expect((contentOf(parts, NOVA) as unknown[]).at(-1)).toHaveProperty('document');
  });
});
