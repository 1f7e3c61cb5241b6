import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import type { UserPart } from '../../../../gateway/protocols/neutral-form/request.ts';
import { bodyOf, CLAUDE, HELLO, NOVA, written } from './support/converse.ts';
import {
  CALLED,
  contentOf,
  LLAMA,
  MARK,
  NOT_OFFERED,
  OPUS,
  PDF,
  PNG,
  POINT,
  TOOL,
  user,
} from './support/messages.ts';

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
    {
      model: CLAUDE,
      fields: { effort: 'low' },
      additional: { thinking: { type: 'enabled', budget_tokens: 2_048 } },
    },
    {
      model: OPUS,
      fields: { effort: 'high' },
      additional: { thinking: { type: 'adaptive', display: 'summarized' } },
      config: { effort: 'high' },
    },
    {
      model: 'qwen.qwen3-32b-v1:0',
      fields: { effort: 'high' },
      additional: { reasoning_config: 'high' },
    },
    {
      model: 'openai.gpt-oss-120b-1:0',
      fields: { effort: 'low' },
      additional: { reasoning_effort: 'low' },
    },
    {
      model: 'us.amazon.nova-2-lite-v1:0',
      fields: { effort: 'low' },
      additional: { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' } },
    },
    { model: LLAMA, fields: { effort: 'high' } },
  ] as const)('tells $model how much to think', ({ model, fields, ...expected }) => {
    const body = bodyOf(fields, model, { outputTokensMax: 8_000 });
    const { additionalModelRequestFields: additional, outputConfig: config } = body;
    expect({ additional, config }).toEqual({
      additional: undefined,
      config: undefined,
      ...expected,
    });
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
        tools: [{ toolSpec: { description: NOT_OFFERED } }],
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
