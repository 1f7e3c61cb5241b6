import type * as Sdk from '@anthropic-ai/sdk';
import type * as BetaJsonSchema from '@anthropic-ai/sdk/helpers/beta/json-schema';
import type * as JsonSchema from '@anthropic-ai/sdk/helpers/json-schema';
import { describe, expect, it } from 'vitest';
import { costOf } from '../../agent-tools/support/sell-models.ts';
import { CITY_SCHEMA, CITY_TEXT, CITY, THOUGHT, callThenReport } from './flow-turns.ts';
import { describeExceptions, type Exceptions } from './describe-exceptions.ts';
import type { ServedLibraries } from './serve-libraries.ts';

interface Version {
  readonly packageName: string;
  readonly exceptions: Exceptions;
  readonly served: () => ServedLibraries;
  /** The models that the version is tried with, by the names of their upstreams. */
  readonly models: Readonly<Record<string, string>>;
}

const TOOL = {
  name: 'look_up',
  description: 'Looks a city up',
  input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } },
};
const QUESTION = { role: 'user' as const, content: 'Where is it?' };

/** Defines the flows of a version of Anthropic's SDK. */
export async function describeAnthropicSdk(version: Version): Promise<void> {
  const { packageName, served, models, exceptions } = version;
  const sdk = (await import(packageName)) as typeof Sdk;
  const clientOf: ClientOf = (key, maxRetries) =>
    new sdk.Anthropic({
      baseURL: served().url,
      apiKey: key,
      ...(maxRetries === undefined ? {} : { maxRetries }),
    });

  describe.each(Object.entries(models))(`${packageName} over %s`, (_name, model) => {
    describeMessages(model, served, clientOf);
    describeToolRunner(model, version, clientOf);
    describeRest(model, version, clientOf);
  });

  describe(packageName, () => {
    const [publicId = ''] = Object.values(models);
    describeExceptions({
      served,
      publicId,
      exceptions,
      ask: async ({ key, model, retries }) => {
        const { content } = await clientOf(key, retries ? undefined : 0).messages.create({
          model,
          max_tokens: 100,
          messages: [QUESTION],
        });
        return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      },
    });
  });
}

type ClientOf = (key: string, maxRetries?: number) => Sdk.Anthropic;

/** As the SDKs for clouds have them, too. */
interface MessagesClient {
  readonly messages: Pick<Sdk.Anthropic['messages'], 'create' | 'stream'>;
}

/** Defines the flows that every SDK of Anthropic's has. */
export function describeMessages(
  model: string,
  served: () => ServedLibraries,
  clientOf: (key: string) => MessagesClient,
): void {
  it('gets a message and pays for it', async () => {
    const { key, bills } = await served().newUser(model);
    const upstream = served().upstreamOf(model);
    upstream.play(() => ({ text: 'Good day' }));
    const message = await clientOf(key).messages.create({
      model,
      max_tokens: 100,
      messages: [QUESTION],
    });
    const { plain, cached, written, output } = upstream.usage;
    expect(message).toMatchObject({
      model,
      content: [{ type: 'text', text: 'Good day' }],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: plain,
        cache_read_input_tokens: cached,
        cache_creation_input_tokens: written,
        output_tokens: output,
      },
    });
    expect(await bills()).toEqual([{ status: 'completed', costNanoUsd: costOf(upstream.usage) }]);
  });

  it('streams calls of tools, and sends their outputs', async () => {
    const { key } = await served().newUser(model);
    const upstream = served().upstreamOf(model);
    upstream.play(callThenReport);
    const client = clientOf(key);
    const asked = { model, max_tokens: 100, tools: [TOOL] };
    const first = await client.messages.stream({ ...asked, messages: [QUESTION] }).finalMessage();
    const calls = first.content.flatMap((block) => (block.type === 'tool_use' ? block : []));
    expect(first.stop_reason).toBe('tool_use');
    expect(calls.map(({ id, input }) => ({ id, input }))).toEqual([
      { id: 'c1', input: { city: 'Rome' } },
      { id: 'c2', input: { city: 'Paris' } },
    ]);
    const results = calls
      .map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: `of ${id}` }))
      .toReversed();
    const second = await client.messages
      .stream({
        ...asked,
        messages: [
          QUESTION,
          { role: 'assistant', content: first.content },
          { role: 'user', content: results },
        ],
      })
      .finalText();
    expect(second).toBe('All is done.');
    const { outputs = [], proofs } = upstream.requests.at(-1) ?? {};
    expect(outputs.toSorted((a, b) => a.callId.localeCompare(b.callId))).toEqual([
      { callId: 'c1', text: 'of c1', pictures: 0 },
      { callId: 'c2', text: 'of c2', pictures: 0 },
    ]);
    if (upstream.keepsProofs) expect(proofs).toEqual([THOUGHT.proof]);
  });
}

/** Newer runners keep the conversation in a thread of the vendor's, and go on without one. */
function describeToolRunner(
  model: string,
  { packageName, served }: Version,
  clientOf: ClientOf,
): void {
  it.each([false, true])('runs tools until the model is done, streamed: %s', async (stream) => {
    const { key, bills } = await served().newUser(model);
    const upstream = served().upstreamOf(model);
    upstream.play(callThenReport);
    const { betaTool } = (await import(
      `${packageName}/helpers/beta/json-schema`
    )) as typeof BetaJsonSchema;
    const asked: string[] = [];
    const tool = betaTool({
      name: TOOL.name,
      description: TOOL.description,
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      run: ({ city }) => {
        asked.push(city);
        return `of ${city}`;
      },
    });
    const runner = clientOf(key).beta.messages.toolRunner({
      model,
      max_tokens: 100,
      messages: [QUESTION],
      tools: [tool],
      stream,
    });
    const { content } = await runner.runUntilDone();
    expect(content).toMatchObject([{ type: 'text', text: 'All is done.' }]);
    expect(asked).toEqual(['Rome', 'Paris']);
    // No turn lacks what came before it.
    expect(upstream.requests.map(({ outputs }) => outputs.map(({ text }) => text))).toEqual([
      [],
      ['of Rome', 'of Paris'],
    ]);
    const bill = { status: 'completed', costNanoUsd: costOf(upstream.usage) };
    expect(await bills()).toEqual([bill, bill]);
  });
}

function describeRest(model: string, { packageName, served }: Version, clientOf: ClientOf): void {
  it('parses structured output', async () => {
    const { key } = await served().newUser(model);
    served()
      .upstreamOf(model)
      .play(() => ({ text: CITY_TEXT }));
    const { jsonSchemaOutputFormat } = (await import(
      `${packageName}/helpers/json-schema`
    )) as typeof JsonSchema;
    const message = await clientOf(key).messages.parse({
      model,
      max_tokens: 100,
      messages: [QUESTION],
      output_config: { format: jsonSchemaOutputFormat(CITY_SCHEMA) },
    });
    expect(message.parsed_output).toEqual(CITY);
  });

  it('counts tokens and finds models, at no charge', async () => {
    const { key, bills } = await served().newUser(model);
    const client = clientOf(key);
    const { input_tokens: tokens } = await client.messages.countTokens({
      model,
      messages: [QUESTION],
      tools: [TOOL],
    });
    expect(tokens).toBeGreaterThan(10);
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    expect(ids).toEqual([model]);
    expect(await client.models.retrieve(model)).toMatchObject({ id: model, type: 'model' });
    expect(await bills()).toEqual([]);
  });
}
