import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  OVER_ANTHROPIC,
  OVER_CHAT,
  OVER_GEMINI,
  OVER_RESPONSES,
} from '../agent-tools/support/models-for-sale.ts';
import { costOf } from '../agent-tools/support/sell-models.ts';
import { EMBEDDING, VECTOR } from './support/embedding-model.ts';
import { fetchLibraries } from './support/fetch-libraries.ts';
import { CITY, CITY_SCHEMA, CITY_TEXT, THOUGHT, callThenReport } from './support/flow-turns.ts';
import { serveLibraries, type ServedLibraries } from './support/serve-libraries.ts';

interface Reply {
  readonly text: string;
  readonly tool_calls?: readonly { readonly id: string; readonly args: object }[];
}

interface Runnable<Output> {
  invoke(messages: readonly unknown[]): Promise<Output>;
  stream(messages: readonly unknown[]): Promise<AsyncIterable<{ concat(next: unknown): unknown }>>;
}

interface ChatModel extends Runnable<Reply> {
  bindTools(tools: readonly object[]): Runnable<Reply>;
  withStructuredOutput(schema: object, options: object): Runnable<unknown>;
}

type Constructor<Made, Settings = object> = new (settings: Settings) => Made;

/** The parts of LangChain that the tests use. */
interface Libraries {
  readonly '@langchain/core/messages': {
    readonly HumanMessage: Constructor<unknown, string>;
    readonly ToolMessage: Constructor<unknown>;
  };
  readonly '@langchain/anthropic': { readonly ChatAnthropic: Constructor<ChatModel> };
  readonly '@langchain/openai': {
    readonly ChatOpenAI: Constructor<ChatModel>;
    readonly OpenAIEmbeddings: Constructor<{ embedQuery(text: string): Promise<number[]> }>;
  };
  readonly '@langchain/google-genai': { readonly ChatGoogleGenerativeAI: Constructor<ChatModel> };
}

const fetched = await fetchLibraries<Libraries>(
  {
    '@langchain/core': '1.4.0',
    '@langchain/anthropic': '1.5.11',
    '@langchain/openai': '1.6.0',
    '@langchain/google-genai': '2.3.2',
  },
  ['@langchain/core/messages'],
);

let served: ServedLibraries;

beforeAll(async () => {
  served = await serveLibraries([
    ...[OVER_ANTHROPIC, OVER_CHAT, OVER_GEMINI, OVER_RESPONSES],
    EMBEDDING,
  ]);
});

afterAll(async () => {
  await served.close();
  await fetched?.remove();
});

type Connect = (libraries: Libraries, apiKey: string, model: string) => ChatModel;

const CONNECT: Readonly<Record<string, Connect>> = {
  Messages: (libraries, apiKey, model) =>
    new libraries['@langchain/anthropic'].ChatAnthropic({
      anthropicApiUrl: served.url,
      apiKey,
      model,
    }),
  'chat completions': (libraries, apiKey, model) =>
    new libraries['@langchain/openai'].ChatOpenAI({
      configuration: { baseURL: `${served.url}/v1` },
      apiKey,
      model,
      useResponsesApi: false,
    }),
  Responses: (libraries, apiKey, model) =>
    new libraries['@langchain/openai'].ChatOpenAI({
      configuration: { baseURL: `${served.url}/v1` },
      apiKey,
      model,
      useResponsesApi: true,
      zdrEnabled: true,
    }),
  Gemini: (libraries, apiKey, model) =>
    new libraries['@langchain/google-genai'].ChatGoogleGenerativeAI({
      baseUrl: served.url,
      apiKey,
      model,
    }),
};

const CELLS = Object.entries({
  Messages: [OVER_ANTHROPIC, OVER_CHAT],
  'chat completions': [OVER_CHAT, OVER_ANTHROPIC],
  Responses: [OVER_RESPONSES, OVER_CHAT],
  Gemini: [OVER_GEMINI, OVER_CHAT],
}).flatMap(([protocol, models]) =>
  models.map(({ publicId, upstreamName }) => ({ protocol, publicId, upstreamName })),
);

const TOOL = {
  type: 'function',
  function: {
    name: 'look_up',
    description: 'Looks a city up',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
};

describe.runIf(fetched !== undefined).each(CELLS)(
  'LangChain with $protocol over $upstreamName',
  ({ protocol, publicId }) => {
    const connect = (key: string, model = publicId): ChatModel => {
      const made = fetched && CONNECT[protocol]?.(fetched.libraries, key, model);
      if (made === undefined) throw new Error('nothing to connect');
      return made;
    };
    const messages = (): Libraries['@langchain/core/messages'] => {
      if (fetched === undefined) throw new Error('nothing was fetched');
      return fetched.libraries['@langchain/core/messages'];
    };

    it.each(['whole', 'streamed'])('runs tools and sends their outputs, %s', async (form) => {
      const { HumanMessage, ToolMessage } = messages();
      const { key, bills } = await served.newUser(publicId);
      const upstream = served.upstreamOf(publicId);
      upstream.play(callThenReport);
      const model = connect(key).bindTools([TOOL]);
      const ask = async (asked: readonly unknown[]): Promise<Reply> => {
        if (form === 'whole') return model.invoke(asked);
        let whole: unknown;
        for await (const piece of await model.stream(asked)) {
          whole = whole === undefined ? piece : (whole as typeof piece).concat(piece);
        }
        return whole as Reply;
      };
      const question = new HumanMessage('Where is it?');
      const first = await ask([question]);
      const { tool_calls: calls = [] } = first;
      expect(calls.map(({ args }) => args)).toEqual([{ city: 'Rome' }, { city: 'Paris' }]);
      const outputs = calls.map(
        ({ id }, at) =>
          new ToolMessage({ tool_call_id: id, name: 'look_up', content: `result ${at}` }),
      );
      expect((await ask([question, first, ...outputs])).text).toBe('All is done.');
      const last = upstream.requests.at(-1);
      expect(last?.outputs).toMatchObject([
        { text: expect.stringContaining('result 0') as string },
        { text: expect.stringContaining('result 1') as string },
      ]);
      if (upstream.keepsProofs && protocol !== 'chat completions') {
        expect(last?.proofs).toEqual([THOUGHT.proof]);
      }
      const bill = { status: 'completed', costNanoUsd: costOf(upstream.usage) };
      expect(await bills()).toEqual([bill, bill]);
    });

    it('asks for structured output', async () => {
      const { HumanMessage } = messages();
      const { key } = await served.newUser(publicId);
      served.upstreamOf(publicId).play(() => ({ text: CITY_TEXT }));
      const schema = { title: 'city', ...CITY_SCHEMA };
      const model = connect(key).withStructuredOutput(schema, { method: 'jsonSchema' });
      expect(await model.invoke([new HumanMessage('Where is it?')])).toEqual(CITY);
    });

    it('throws what nothing but a person can change', async () => {
      const { HumanMessage } = messages();
      const { key } = await served.newUser(publicId);
      const poor = await served.newUser(publicId, 0);
      const asked = [new HumanMessage('Where is it?')];
      await expect(connect('sk-wrong').invoke(asked)).rejects.toThrow(/key is too short/);
      await expect(connect(key, 'no-such-model').invoke(asked)).rejects.toThrow(/does not exist/);
      await expect(connect(poor.key).invoke(asked)).rejects.toThrow(/does not cover/);
    });
  },
);

it.runIf(fetched !== undefined)('LangChain gets embeddings', async () => {
  const { publicId: model } = EMBEDDING;
  const { key: apiKey } = await served.newUser(model);
  const configuration = { baseURL: `${served.url}/v1` };
  const made = fetched?.libraries['@langchain/openai'].OpenAIEmbeddings;
  if (made === undefined) throw new Error('nothing was fetched');
  const embeddings = new made({ configuration, apiKey, model });
  expect(await embeddings.embedQuery('Where?')).toEqual(VECTOR);
});
