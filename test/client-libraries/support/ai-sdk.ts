import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  OVER_ANTHROPIC,
  OVER_CHAT,
  OVER_GEMINI,
  OVER_RESPONSES,
  OVER_STORING_RESPONSES,
} from '../../agent-tools/support/models-for-sale.ts';
import { costOf } from '../../agent-tools/support/sell-models.ts';
import { EMBEDDING, VECTOR } from './embedding-model.ts';
import { fetchLibraries } from './fetch-libraries.ts';
import { CITY, CITY_SCHEMA, CITY_TEXT, THOUGHT, callThenReport } from './flow-turns.ts';
import { serveLibraries, type ServedLibraries } from './serve-libraries.ts';

/** The parts of the AI SDK that the tests use, which its versions have in common. */
interface Libraries {
  readonly ai: {
    generateText(options: object): Promise<{ text: string; output: unknown }>;
    streamText(options: object): { readonly textStream: AsyncIterable<string> };
    embed(options: object): Promise<{ embedding: readonly number[] }>;
    tool(options: object): unknown;
    jsonSchema(schema: object): unknown;
    stepCountIs(count: number): unknown;
    readonly Output: { object(options: object): unknown };
  };
  readonly '@ai-sdk/anthropic': { createAnthropic(settings: Settings): (model: string) => unknown };
  readonly '@ai-sdk/openai': { createOpenAI(settings: Settings): OpenAiProvider };
  readonly '@ai-sdk/google': {
    createGoogleGenerativeAI(settings: Settings): (model: string) => unknown;
  };
}

interface Settings {
  readonly baseURL: string;
  readonly apiKey: string;
}

interface OpenAiProvider {
  chat(model: string): unknown;
  responses(model: string): unknown;
  embedding(model: string): unknown;
}

type Connect = (libraries: Libraries, url: string, key: string, model: string) => unknown;

const CONNECT: Readonly<Record<string, Connect>> = {
  Messages: (libraries, url, apiKey, model) =>
    libraries['@ai-sdk/anthropic'].createAnthropic({ baseURL: `${url}/v1`, apiKey })(model),
  'chat completions': (libraries, url, apiKey, model) =>
    libraries['@ai-sdk/openai'].createOpenAI({ baseURL: `${url}/v1`, apiKey }).chat(model),
  Responses: (libraries, url, apiKey, model) =>
    libraries['@ai-sdk/openai'].createOpenAI({ baseURL: `${url}/v1`, apiKey }).responses(model),
  Gemini: (libraries, url, apiKey, model) =>
    libraries['@ai-sdk/google'].createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey })(
      model,
    ),
};

const UPSTREAMS = {
  Messages: [OVER_ANTHROPIC, OVER_CHAT],
  'chat completions': [OVER_CHAT, OVER_ANTHROPIC],
  Responses: [OVER_RESPONSES, OVER_CHAT],
  Gemini: [OVER_GEMINI, OVER_CHAT],
} as const;

/** Else it refers to items by their ids, which upstreams that store none do not know. */
const WITHOUT_STORAGE = { openai: { store: false } };

const CELLS = Object.entries(UPSTREAMS).flatMap(([protocol, models]) =>
  models.map(({ publicId, upstreamName }) => ({ protocol, publicId, upstreamName })),
);

/** Defines the flows of a version of Vercel's AI SDK. */
export async function describeAiSdk(versions: Readonly<Record<string, string>>): Promise<void> {
  const fetched = await fetchLibraries<Libraries>(versions);
  let served: ServedLibraries;

  beforeAll(async () => {
    const models = [OVER_ANTHROPIC, OVER_CHAT, OVER_GEMINI, OVER_RESPONSES];
    served = await serveLibraries([...models, OVER_STORING_RESPONSES, EMBEDDING]);
  });

  afterAll(async () => {
    await served.close();
    await fetched?.remove();
  });

  const name = `AI SDK ${versions['ai'] ?? ''}`;
  describe.runIf(fetched !== undefined)(name, () => {
    if (fetched !== undefined) describeFlows(fetched.libraries, () => served);
  });
}

function describeFlows(libraries: Libraries, library: () => ServedLibraries): void {
  const { ai } = libraries;
  const modelFor = (protocol: string, key: string, model: string): unknown =>
    CONNECT[protocol]?.(libraries, library().url, key, model);

  describe.each(CELLS)('with $protocol over $upstreamName', ({ protocol, publicId }) => {
    it('runs tools, sends their outputs and reports', async () => {
      const { key, bills } = await library().newUser(publicId);
      const upstream = library().upstreamOf(publicId);
      upstream.play(callThenReport);
      const { text } = await ai.generateText({
        model: modelFor(protocol, key, publicId),
        prompt: 'Where is it?',
        tools: { look_up: lookUpTool(ai) },
        stopWhen: ai.stepCountIs(3),
        providerOptions: WITHOUT_STORAGE,
      });
      expect(text).toBe('All is done.');
      const { outputs, proofs } = upstream.requests.at(-1) ?? {};
      expect(outputs).toMatchObject([
        { text: expect.stringContaining('of Rome') as string },
        { text: expect.stringContaining('of Paris') as string },
      ]);
      if (upstream.keepsProofs && protocol !== 'chat completions') {
        expect(proofs).toEqual([THOUGHT.proof]);
      }
      const bill = { status: 'completed', costNanoUsd: costOf(upstream.usage) };
      expect(await bills()).toEqual([bill, bill]);
    });

    it('streams', async () => {
      const { key } = await library().newUser(publicId);
      const upstream = library().upstreamOf(publicId);
      upstream.play(callThenReport);
      const { textStream } = ai.streamText({
        model: modelFor(protocol, key, publicId),
        prompt: 'Where is it?',
        tools: { look_up: lookUpTool(ai) },
        stopWhen: ai.stepCountIs(3),
        providerOptions: WITHOUT_STORAGE,
      });
      let text = '';
      for await (const piece of textStream) text += piece;
      expect(text).toBe('I look.All is done.');
    });

    it('asks for structured output', async () => {
      const { key } = await library().newUser(publicId);
      library()
        .upstreamOf(publicId)
        .play(() => ({ text: CITY_TEXT }));
      const { output } = await ai.generateText({
        model: modelFor(protocol, key, publicId),
        prompt: 'Where is it?',
        output: ai.Output.object({ schema: ai.jsonSchema(CITY_SCHEMA) }),
      });
      expect(output).toEqual(CITY);
    });

    it('throws once what nothing but a person can change', async () => {
      const asked = [
        { statusCode: 402, key: (await library().newUser(publicId, 0)).key, model: publicId },
        { statusCode: 401, key: 'sk-wrong', model: publicId },
        { statusCode: 404, key: (await library().newUser(publicId)).key, model: 'no-such-model' },
      ];
      for (const { statusCode, key, model } of asked) {
        const sent = ai.generateText({ model: modelFor(protocol, key, model), prompt: 'Where?' });
        // After several requests it throws a RetryError.
        await expect(sent).rejects.toMatchObject({ name: 'AI_APICallError', statusCode });
      }
    });
  });

  it('refers to items by their ids, over an upstream that stores them', async () => {
    const { publicId } = OVER_STORING_RESPONSES;
    const { key, bills } = await library().newUser(publicId);
    const upstream = library().upstreamOf(publicId);
    upstream.play(callThenReport);
    const { text } = await ai.generateText({
      model: modelFor('Responses', key, publicId),
      prompt: 'Where is it?',
      tools: { look_up: lookUpTool(ai) },
      stopWhen: ai.stepCountIs(3),
    });
    expect(text).toBe('All is done.');
    const { outputs, body } = upstream.requests.at(-1) ?? {};
    expect(outputs).toHaveLength(2);
    const items = body?.['input'] as { readonly type?: string; readonly id?: string }[];
    const references = items.filter(({ type }) => type === 'item_reference');
    // The upstream's own ids, as it knows them.
    expect(references.map(({ id }) => id)).toEqual(expect.arrayContaining(['rs_1', 'msg_1']));
    for (const { id = '' } of items) expect(id).not.toMatch(/_w[0-9a-f]{24}$/);
    const bill = { status: 'completed', costNanoUsd: costOf(upstream.usage) };
    expect(await bills()).toEqual([bill, bill]);
  });

  it('gets embeddings', async () => {
    const { publicId } = EMBEDDING;
    const { key } = await library().newUser(publicId);
    const openai = libraries['@ai-sdk/openai'].createOpenAI({
      baseURL: `${library().url}/v1`,
      apiKey: key,
    });
    const { embedding } = await ai.embed({ model: openai.embedding(publicId), value: 'Where?' });
    expect(embedding).toHaveLength(VECTOR.length);
  });
}

function lookUpTool(ai: Libraries['ai']): unknown {
  return ai.tool({
    description: 'Looks a city up',
    inputSchema: ai.jsonSchema({ type: 'object', properties: { city: { type: 'string' } } }),
    execute: ({ city }: { readonly city: string }) => Promise.resolve(`of ${city}`),
  });
}
