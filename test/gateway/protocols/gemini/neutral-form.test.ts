import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import type { NeutralEvent } from '../../../../gateway/protocols/neutral-form/reply.ts';
import type {
  NeutralMessage,
  NeutralRequest,
} from '../../../../gateway/protocols/neutral-form/request.ts';
import { neutralForm } from '../../../../gateway/protocols/gemini/neutral-form.ts';
import { signatureOf, proofOf } from '../../../../gateway/protocols/gemini/wire/signature.ts';
import { readUsage, usageObject } from '../../../../gateway/protocols/gemini/usage.ts';
import { fittedBody } from '../../../support/upstreams/fitted-body.ts';
import { targetOf } from '../../../support/upstreams/target.ts';
import { parsed } from './support/parsed.ts';

const findFailure = (): undefined => undefined;

function read(body: object): NeutralRequest {
  const request = neutralForm.readRequest(parsed(body));
  if (isRefusal(request)) throw new Error(request.message);
  return request;
}

function write(request: Partial<NeutralRequest>, upstreamModel = 'gemini-2.5-pro') {
  const whole = { stream: false, messages: [], tools: [], choices: 1, ...request };
  const target = targetOf({ upstreamModel }, 'gemini');
  const body = fittedBody(neutralForm, whole, target);
  if (isRefusal(body)) throw new Error(body.message);
  return JSON.parse(JSON.stringify(body)) as Record<string, unknown>;
}

const IMAGE = { source: { base64: 'AA==', mediaType: 'image/png' } };

/** Images, reasoning, calls at once, and results in another order. */
const TURN: NeutralMessage[] = [
  { role: 'system', parts: [{ type: 'text', text: 'S' }] },
  {
    role: 'user',
    parts: [
      { type: 'text', text: 'U' },
      { type: 'image', ...IMAGE },
    ],
  },
  {
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'R', proof: { of: 'anthropic-messages', value: 'SIG' } },
      { type: 'text', text: 'T' },
      { type: 'tool_call', id: 'c1', name: 'f', input: '{"a":1}', freeForm: false },
      { type: 'tool_call', id: 'c2', name: 'g', input: '', freeForm: false },
    ],
  },
  {
    role: 'tool',
    parts: [
      { type: 'tool_result', callId: 'c2', content: [{ type: 'text', text: 'no' }], isError: true },
      {
        type: 'tool_result',
        callId: 'c1',
        content: [
          { type: 'text', text: 'ok' },
          { type: 'image', ...IMAGE },
        ],
        isError: false,
      },
    ],
  },
  { role: 'user', parts: [{ type: 'text', text: 'go on' }] },
];

const INLINE = { inlineData: { mimeType: 'image/png', data: 'AA==' } };

const CONTENTS = [
  { role: 'user', parts: [{ text: 'U' }, INLINE] },
  {
    role: 'model',
    parts: [
      { text: 'T' },
      {
        functionCall: { id: 'c1', name: 'f', args: { a: 1 } },
        thoughtSignature: 'skip_thought_signature_validator',
      },
      { functionCall: { id: 'c2', name: 'g', args: {} } },
    ],
  },
  {
    role: 'user',
    parts: [
      { functionResponse: { id: 'c1', name: 'f', response: { output: 'ok' } } },
      { functionResponse: { id: 'c2', name: 'g', response: { error: 'no' } } },
      { text: 'From the result of f (call c1):' },
      INLINE,
      { text: 'go on' },
    ],
  },
];

describe('a request for a Gemini upstream', () => {
  it('has results in the order of the calls, images behind them, and no foreign thoughts', () => {
    expect(write({ messages: TURN }, 'gemini-3-pro')).toMatchObject({
      systemInstruction: { parts: [{ text: 'S' }] },
      contents: CONTENTS,
    });
  });

  it('has no stand-in for a signature where the model wants none', () => {
    expect(JSON.stringify(write({ messages: TURN }))).not.toContain('thoughtSignature');
  });

  it('has Gemini’s own signature where it was, byte for byte', () => {
    const proof = { of: 'gemini', value: 'a+/b==' } as const;
    const call = { type: 'tool_call', id: 'c', name: 'f', input: '{}', freeForm: false } as const;
    const user: NeutralMessage = { role: 'user', parts: [{ type: 'text', text: 'U' }] };
    const onCall = write({ messages: [user, { role: 'assistant', parts: [{ ...call, proof }] }] });
    const thought = { type: 'reasoning', text: 'R', proof } as const;
    const onThought = write({ messages: [user, { role: 'assistant', parts: [thought, call] }] });
    for (const body of [onCall, onThought]) {
      expect(body).toHaveProperty('contents[1].parts[0].thoughtSignature', 'a+/b==');
      expect(JSON.stringify(body)).not.toContain('"R"');
    }
  });

  it.each([
    ['gemini-3-pro', { effort: 'xhigh' }, { includeThoughts: true, thinkingLevel: 'HIGH' }],
    ['gemini-3-pro', { effort: 'none' }, { includeThoughts: true, thinkingLevel: 'LOW' }],
    ['gemini-3.8-flash', { effort: 'minimal' }, { includeThoughts: true, thinkingLevel: 'LOW' }],
    ['gemini-3-flash', { effort: 'minimal' }, { includeThoughts: true, thinkingLevel: 'MINIMAL' }],
    ['gemini-2.5-flash', { effort: 'medium' }, { includeThoughts: true, thinkingBudget: 8192 }],
    ['gemini-2.5-flash', { effort: 'none' }, { includeThoughts: true, thinkingBudget: 0 }],
    ['gemini-2.5-pro', { effort: 'none' }, { includeThoughts: true, thinkingBudget: 128 }],
    ['gemini-2.5-pro', { reasoningText: false }, { includeThoughts: false }],
    [
      'gemini-2.5-pro',
      { reasoningTokensMax: 99_999 },
      { includeThoughts: true, thinkingBudget: 32_768 },
    ],
    ['gemini-2.0-flash', { effort: 'high' }, undefined],
  ] as const)('asks %s for %j as it takes it', (model, asked, config) => {
    const { generationConfig } = write({ messages: TURN, ...asked }, model) as {
      generationConfig: { thinkingConfig?: object };
    };
    expect(generationConfig.thinkingConfig).toEqual(config);
  });

  it('has any JSON Schema whole (unity-gateway #491)', () => {
    const schema = { type: 'object', additionalProperties: false };
    const tools = [{ name: 'f', schema: { $schema: 'x', ...schema } }];
    expect(write({ messages: TURN, tools, toolChoice: { mode: 'tool', name: 'f' } })).toMatchObject(
      {
        tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: schema }] }],
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      },
    );
  });
});

describe('a Gemini client’s request', () => {
  it('comes back as it was from the neutral form', () => {
    const { contents, systemInstruction } = write({ messages: TURN }, 'gemini-3-pro');
    const again = read({ contents, systemInstruction });
    expect(write(again, 'gemini-3-pro')['contents']).toEqual(contents);
  });

  it('matches results without ids to calls of the same name in their order', () => {
    const call = { functionCall: { name: 'f', args: {} } };
    const result = (output: string) => ({ functionResponse: { name: 'f', response: { output } } });
    const { messages } = read({
      contents: [
        { role: 'model', parts: [call, call] },
        { role: 'user', parts: [result('first'), result('second'), { text: 'go on' }] },
      ],
    });
    const [assistant, tool, user] = messages;
    const ids = assistant?.parts.map((part) => (part as { id: string }).id);
    expect(new Set(ids).size).toBe(2);
    expect(tool?.parts.map((part) => (part as { callId: string }).callId)).toEqual(ids);
    expect(user).toMatchObject({ role: 'user', parts: [{ text: 'go on' }] });
  });

  it('carries another vendor’s proof through the signature of a call', () => {
    const proof = { of: 'openai-responses', value: 'enc.rypted', redacted: true } as const;
    const signature = signatureOf(proof);
    expect(signature).toMatch(/^[A-Za-z0-9+/=]+$/);
    expect(proofOf(signature.replaceAll('+', '-').replaceAll('/', '_'))).toEqual(proof);
    const part = { functionCall: { name: 'f', args: {} }, thoughtSignature: signature };
    const { messages } = read({ contents: [{ role: 'model', parts: [part] }] });
    expect(messages[0]?.parts).toMatchObject([
      { type: 'reasoning', text: '', proof },
      { type: 'tool_call', name: 'f' },
    ]);
  });

  it('has its OpenAPI schema turned into JSON Schema', () => {
    const parameters = {
      type: 'OBJECT',
      properties: { a: { type: 'STRING', nullable: true }, type: { type: 'INTEGER' } },
      propertyOrdering: ['a'],
    };
    const { tools } = read({
      contents: [{}],
      tools: [{ functionDeclarations: [{ name: 'f', parameters }] }],
    });
    expect(tools[0]?.schema).toEqual({
      type: 'object',
      properties: { a: { type: ['string', 'null'] }, type: { type: 'integer' } },
    });
  });

  it.each([
    [{ tools: [{ urlContext: {} }] }, 'tools'],
    [{ generationConfig: { candidateCount: 2 } }, 'generationConfig.candidateCount'],
    [{ generationConfig: { responseLogprobs: true } }, 'generationConfig.responseLogprobs'],
    [
      { generationConfig: { responseModalities: ['AUDIO'] } },
      'generationConfig.responseModalities',
    ],
  ])('is refused where no other upstream can do it: %j', (more, param) => {
    const request = parsed({ contents: [{ parts: [{ text: 'x' }] }], ...more });
    expect(neutralForm.readRequest(request)).toMatchObject({ param });
  });
});

function events(...chunks: object[]): NeutralEvent[] {
  const reader = neutralForm.readStream(findFailure);
  const read = chunks.flatMap((chunk) => reader.read('', Buffer.from(JSON.stringify(chunk))));
  return [...read, ...reader.close()];
}

function candidate(parts: object[], finishReason?: string): object {
  return { candidates: [{ content: { parts }, index: 0, finishReason }] };
}

describe('a Gemini upstream’s stream', () => {
  it('ends with tool calls when one was seen anywhere in it, text behind it or not', () => {
    const read = events(
      candidate([{ functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'AA==' }]),
      candidate([{ text: 'there' }], 'STOP'),
    );
    expect(read).toMatchObject([
      { type: 'start' },
      { type: 'tool_call', index: 0, name: 'f', proof: { of: 'gemini', value: 'AA==' } },
      { type: 'tool_input', index: 0, text: '{"a":1}' },
      { type: 'text', text: 'there' },
      { type: 'end', reason: 'tool_calls' },
      { type: 'done' },
    ]);
  });

  it('is not whole without a finishReason', () => {
    expect(events(candidate([{ text: 'half' }])).map(({ type }) => type)).toEqual([
      'start',
      'text',
    ]);
  });

  it.each([
    ['MAX_TOKENS', { type: 'end', reason: 'length' }],
    ['SAFETY', { type: 'end', reason: 'content_filter' }],
    ['MALFORMED_FUNCTION_CALL', { type: 'failure' }],
  ])('that ends with %s says so', (reason, event) => {
    expect(events(candidate([], reason))).toContainEqual(expect.objectContaining(event));
  });
});

describe('Gemini’s usage', () => {
  it('has its output in the total where it is nowhere else', () => {
    const usage = { promptTokenCount: 11, totalTokenCount: 18 };
    expect(readUsage(usage)).toMatchObject({ input: 11, output: 7, reasoning: 0 });
    expect(readUsage({ ...usage, totalTokenCount: 11 })).toMatchObject({ input: 11, output: 0 });
  });

  it('counts thoughts as output (CLIProxyAPI #5743, computesdk #372)', () => {
    const usage = { promptTokenCount: 10, candidatesTokenCount: 6, thoughtsTokenCount: 190 };
    expect(readUsage(usage)).toMatchObject({ input: 10, output: 196, reasoning: 190 });
  });

  it('adds what server tools read, and splits off audio and images that no cache had', () => {
    const counts = readUsage({
      promptTokenCount: 100,
      toolUsePromptTokenCount: 5,
      cachedContentTokenCount: 40,
      candidatesTokenCount: 30,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 40 },
        { modality: 'AUDIO', tokenCount: 60 },
      ],
      cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: 40 }],
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 29 }],
    });
    expect(counts).toEqual({
      input: 105,
      cachedInput: 40,
      cacheWrite: 0,
      output: 30,
      reasoning: 0,
      extra: { audioInput: 20, imageOutput: 29 },
    });
  });

  it('comes back from the neutral counts', () => {
    const counts = { input: 100, cachedInput: 40, cacheWrite: 0, output: 30, reasoning: 20 };
    expect(readUsage(usageObject(counts))).toEqual(counts);
    const plain = { ...counts, cachedInput: 0, reasoning: 0 };
    expect(readUsage(usageObject(plain))).toEqual(plain);
  });
});
