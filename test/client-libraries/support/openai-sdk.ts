import type * as Sdk from 'openai';
import { describe, expect, it } from 'vitest';
import { costOf } from '../../agent-tools/support/sell-models.ts';
import { EMBEDDING, VECTOR } from './embedding-model.ts';
import { CITY, CITY_SCHEMA, CITY_TEXT, THOUGHT, callThenReport } from './flow-turns.ts';
import { describeExceptions, type Exceptions } from './describe-exceptions.ts';
import type { ServedLibraries } from './serve-libraries.ts';

interface Version {
  readonly packageName: string;
  readonly exceptions: Readonly<Record<'chat' | 'Responses', Exceptions>>;
  readonly served: () => ServedLibraries;
  /** The models that the version is tried with, by the names of their upstreams. */
  readonly models: Readonly<Record<'chat' | 'Responses', string>>;
}

const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } } };
const QUESTION = { role: 'user' as const, content: 'Where is it?' };
const ANSWERS = [
  { callId: 'c1', text: 'of c1', pictures: 0 },
  { callId: 'c2', text: 'of c2', pictures: 0 },
];

type ClientOf = (key: string, maxRetries?: number) => Sdk.OpenAI;

/** Defines the flows of a version of OpenAI's SDK. */
export async function describeOpenAiSdk(version: Version): Promise<void> {
  const { packageName, served, models, exceptions } = version;
  const sdk = (await import(packageName)) as typeof Sdk;
  const clientOf: ClientOf = (key, maxRetries) =>
    new sdk.OpenAI({
      baseURL: `${served().url}/v1`,
      apiKey: key,
      ...(maxRetries === undefined ? {} : { maxRetries }),
    });

  describe.each(Object.entries(models))(`${packageName} over %s`, (_name, model) => {
    describeChat(model, served, clientOf);
    describeResponses(model, served, clientOf);

    it('finds models', async () => {
      const { key } = await served().newUser(model);
      const ids: string[] = [];
      for await (const { id } of clientOf(key).models.list()) ids.push(id);
      expect(ids).toEqual([model]);
      expect(await clientOf(key).models.retrieve(model)).toMatchObject({ id: model });
    });
  });

  it(`${packageName} gets embeddings, and pays for them`, async () => {
    const { publicId: model } = EMBEDDING;
    const { key, bills } = await served().newUser(model);
    const { data, usage } = await clientOf(key).embeddings.create({ model, input: 'Where?' });
    expect(data.map(({ embedding }) => embedding)).toEqual([VECTOR]);
    const costNanoUsd = costOf(served().upstreamOf(model).usage);
    expect(usage).toMatchObject({ prompt_tokens: 8 });
    expect(await bills()).toEqual([{ status: 'completed', costNanoUsd }]);
  });

  describe(`${packageName} with chat completions`, () => {
    describeExceptions({
      served,
      publicId: models.chat,
      exceptions: exceptions.chat,
      ask: async ({ key, model, retries }) => {
        const client = clientOf(key, retries ? undefined : 0);
        const reply = await client.chat.completions.create({ model, messages: [QUESTION] });
        return reply.choices[0]?.message.content ?? '';
      },
    });
  });

  describe(`${packageName} with Responses`, () => {
    describeExceptions({
      served,
      publicId: models.Responses,
      exceptions: exceptions.Responses,
      ask: async ({ key, model, retries }) => {
        const client = clientOf(key, retries ? undefined : 0);
        return (await client.responses.create({ model, input: 'Where is it?' })).output_text;
      },
    });
  });
}

function describeChat(model: string, served: () => ServedLibraries, clientOf: ClientOf): void {
  const tools = [
    { type: 'function' as const, function: { name: 'look_up', parameters: PARAMETERS } },
  ];

  it('streams calls of tools as chat completions, sends their outputs, and pays', async () => {
    const { key, bills } = await served().newUser(model);
    const upstream = served().upstreamOf(model);
    upstream.play(callThenReport);
    const { completions } = clientOf(key).chat;
    const asked = { model, tools, stream_options: { include_usage: true } };
    const first = await completions.stream({ ...asked, messages: [QUESTION] }).finalMessage();
    const calls = first.tool_calls ?? [];
    expect(calls.map(({ id }) => id)).toEqual(['c1', 'c2']);
    const outputs = calls.map(({ id }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: `of ${id}`,
    }));
    const messages = [QUESTION, first, ...outputs];
    const second = await completions.stream({ ...asked, messages }).finalChatCompletion();
    expect(second.choices[0]?.message.content).toBe('All is done.');
    const { plain, cached, written, output } = upstream.usage;
    expect(second.usage).toMatchObject({
      prompt_tokens: plain + cached + written,
      completion_tokens: output,
      prompt_tokens_details: { cached_tokens: cached },
    });
    expect(upstream.requests.at(-1)?.outputs).toEqual(ANSWERS);
    const bill = { status: 'completed', costNanoUsd: costOf(upstream.usage) };
    expect(await bills()).toEqual([bill, bill]);
  });

  it('parses structured output of chat completions', async () => {
    const { key } = await served().newUser(model);
    served()
      .upstreamOf(model)
      .play(() => ({ text: CITY_TEXT }));
    const { choices } = await clientOf(key).chat.completions.parse({
      model,
      messages: [QUESTION],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'city', schema: CITY_SCHEMA, strict: true },
      },
    });
    expect(choices[0]?.message.parsed).toEqual(CITY);
  });
}

function describeResponses(model: string, served: () => ServedLibraries, clientOf: ClientOf): void {
  const tools = [
    { type: 'function' as const, name: 'look_up', strict: false, parameters: PARAMETERS },
  ];

  it('streams calls of tools as Responses, sends their outputs, and pays', async () => {
    const { key, bills } = await served().newUser(model);
    const upstream = served().upstreamOf(model);
    upstream.play(callThenReport);
    const { responses } = clientOf(key);
    const include = ['reasoning.encrypted_content' as const];
    const asked = { model, tools, include, store: false };
    const first = await responses.stream({ ...asked, input: [QUESTION] }).finalResponse();
    const calls = first.output.flatMap((item) => (item.type === 'function_call' ? item : []));
    expect(calls.map(({ arguments: text }) => JSON.parse(text) as unknown)).toEqual([
      { city: 'Rome' },
      { city: 'Paris' },
    ]);
    const outputs = calls.map(({ call_id: callId }) => ({
      type: 'function_call_output' as const,
      call_id: callId,
      output: `of ${callId}`,
    }));
    const input = [QUESTION, ...first.output, ...outputs] as Sdk.OpenAI.Responses.ResponseInput;
    const second = await responses.create({ ...asked, input });
    expect(second.output_text).toBe('All is done.');
    const { outputs: seen, proofs } = upstream.requests.at(-1) ?? {};
    expect(seen).toEqual(ANSWERS);
    if (upstream.keepsProofs) expect(proofs).toEqual([THOUGHT.proof]);
    const bill = { status: 'completed', costNanoUsd: costOf(upstream.usage) };
    expect(await bills()).toEqual([bill, bill]);
  });

  it('parses structured output of Responses', async () => {
    const { key } = await served().newUser(model);
    served()
      .upstreamOf(model)
      .play(() => ({ text: CITY_TEXT }));
    const { output_parsed: parsed } = await clientOf(key).responses.parse({
      model,
      input: [QUESTION],
      text: { format: { type: 'json_schema', name: 'city', schema: CITY_SCHEMA, strict: true } },
    });
    expect(parsed).toEqual(CITY);
  });

  it('counts tokens at no charge', async () => {
    const { key, bills } = await served().newUser(model);
    const count = await clientOf(key).responses.inputTokens.count({ model, input: 'Where is it?' });
    expect(count.input_tokens).toBeGreaterThan(2);
    expect(await bills()).toEqual([]);
  });
}
