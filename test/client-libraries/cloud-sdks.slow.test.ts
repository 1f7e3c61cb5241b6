import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk';
import { AnthropicVertex } from '@anthropic-ai/vertex-sdk';
import {
  BedrockRuntimeClient,
  CountTokensCommand,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { GoogleGenAI } from '@google/genai';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { OAuth2Client } from 'google-auth-library';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OVER_ANTHROPIC, OVER_CHAT, OVER_GEMINI } from '../agent-tools/support/models-for-sale.ts';
import { costOf } from '../agent-tools/support/sell-models.ts';
import { describeMessages } from './support/anthropic-sdk.ts';
import { describeExceptions, type FailingLibrary } from './support/describe-exceptions.ts';
import { serveLibraries, type ServedLibraries } from './support/serve-libraries.ts';

/** A failure leaves its mark on a channel: each library has its own. */
const FOR_BEDROCK = { ...OVER_ANTHROPIC, publicId: 'claude-sonnet-5-bedrock' };
const FOR_VERTEX = { ...OVER_ANTHROPIC, publicId: 'claude-sonnet-5-vertex' };
const FOR_AWS = { ...OVER_ANTHROPIC, publicId: 'claude-sonnet-5-20270101' };

let library: ServedLibraries;
const served = (): ServedLibraries => library;

beforeAll(async () => {
  library = await serveLibraries([FOR_BEDROCK, FOR_VERTEX, FOR_AWS, OVER_CHAT, OVER_GEMINI]);
});

afterAll(() => library.close());

/** Sends the key where the vendor's own credential would be. */
function googleCredentials(key: string): OAuth2Client {
  const client = new OAuth2Client();
  client.setCredentials({ access_token: key, expiry_date: Date.now() + 3_600_000 });
  return client;
}

const QUESTION = { role: 'user' as const, content: 'Where is it?' };

const EXCEPTIONS = {
  noMoney: [402, 'PaymentRequiredError'],
  unknownModel: [404, 'NotFoundError'],
  unknownKey: [401, 'AuthenticationError'],
  overflow: [400, 'BadRequestError'],
  rateLimited: [429, 'RateLimitError'],
  requestsUntilSuccess: 2,
} as const;

const CLIENTS = {
  'Bedrock SDK': {
    clientOf: (key: string, maxRetries = 2) =>
      new AnthropicBedrock({
        apiKey: key,
        baseURL: served().url,
        awsRegion: 'us-east-1',
        maxRetries,
      }),
    publicId: FOR_BEDROCK.publicId,
    exceptions: { ...EXCEPTIONS, overloaded: [503, 'ServiceUnavailableError'] },
  },
  'Vertex SDK': {
    clientOf: (key: string, maxRetries = 2) =>
      new AnthropicVertex({
        authClient: googleCredentials(key),
        baseURL: `${served().url}/v1`,
        projectId: 'a-project',
        region: 'us-east5',
        maxRetries,
      }),
    publicId: FOR_VERTEX.publicId,
    exceptions: { ...EXCEPTIONS, overloaded: [529, 'OverloadedError'] },
  },
} as const;

describe.each(Object.entries(CLIENTS))('Anthropic’s %s', (_name, { clientOf, ...library }) => {
  const { publicId } = library;
  describe.each([publicId, OVER_CHAT.publicId])('with the model %s', (model) => {
    describeMessages(model, served, clientOf);
  });

  const ask: FailingLibrary['ask'] = async ({ key, model, retries }) => {
    const asked = { model, max_tokens: 100, messages: [QUESTION] };
    const { content } = await clientOf(key, retries ? undefined : 0).messages.create(asked);
    return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  };
  describeExceptions({ served, publicId, exceptions: library.exceptions, ask });
});

describe('AWS’ own SDK', () => {
  const modelId = 'us.anthropic.claude-sonnet-5-20270101-v1:0';
  const body = JSON.stringify({
    anthropic_version: 'bedrock-2023-05-31',
    max_tokens: 100,
    messages: [QUESTION],
  });
  const clientOf = (key: string): BedrockRuntimeClient =>
    new BedrockRuntimeClient({
      region: 'us-east-1',
      endpoint: served().url,
      token: { token: key },
      authSchemePreference: ['httpBearerAuth'],
      requestHandler: new NodeHttpHandler(),
    });

  it('gets messages, whole and streamed, pays for both, and counts', async () => {
    const upstream = served().upstreamOf(FOR_AWS.publicId);
    upstream.play(() => ({ text: 'Good day' }));
    const { key, bills } = await served().newUser(FOR_AWS.publicId);
    const client = clientOf(key);
    const whole = await client.send(new InvokeModelCommand({ modelId, body }));
    expect(JSON.parse(whole.body.transformToString())).toMatchObject({
      model: FOR_AWS.publicId,
      content: [{ type: 'text', text: 'Good day' }],
    });
    const command = new InvokeModelWithResponseStreamCommand({ modelId, body });
    const types: unknown[] = [];
    for await (const { chunk } of (await client.send(command)).body ?? []) {
      const event = JSON.parse(Buffer.from(chunk?.bytes ?? []).toString('utf8')) as object;
      types.push((event as { type?: unknown }).type);
    }
    expect([types[0], types.at(-1)]).toEqual(['message_start', 'message_stop']);
    const input = { invokeModel: { body: Buffer.from(body) } };
    const { inputTokens } = await client.send(new CountTokensCommand({ modelId, input }));
    expect(inputTokens).toBeGreaterThan(0);
    const bill = { status: 'completed', costNanoUsd: costOf(upstream.usage) };
    expect(await bills()).toEqual([bill, bill]);
    client.destroy();
  });

  it('throws the exception of a stream that breaks off', async () => {
    const upstream = served().upstreamOf(FOR_AWS.publicId);
    upstream.play(() => ({ failure: 'cut midway', text: 'Good day' }));
    const { key } = await served().newUser(FOR_AWS.publicId);
    const client = clientOf(key);
    const command = new InvokeModelWithResponseStreamCommand({ modelId, body });
    const read = async (): Promise<void> => {
      for await (const one of (await client.send(command)).body ?? []) expect(one).toBeDefined();
    };
    await expect(read()).rejects.toMatchObject({
      name: 'ModelStreamErrorException',
      message: expect.stringContaining('The upstream broke off') as string,
    });
    client.destroy();
  });

  it.each([
    ['no-such-model', 1, 404, 'ResourceNotFoundException'],
    [modelId, 0, 402, 'ServiceQuotaExceededException'],
  ])('throws once, asked for %s', async (asked, credit, status, name) => {
    const { key } = await served().newUser(FOR_AWS.publicId, credit);
    const client = clientOf(key);
    const command = new InvokeModelCommand({ modelId: asked, body });
    await expect(client.send(command)).rejects.toMatchObject({
      name,
      $metadata: { httpStatusCode: status, attempts: 1 },
    });
    client.destroy();
  });
});

describe('Google’s SDK, set to Vertex AI', () => {
  it.each([OVER_GEMINI.publicId, OVER_CHAT.publicId])(
    'gets replies of %s, whole and streamed, and counts',
    async (model) => {
      const upstream = served().upstreamOf(model);
      upstream.play(() => ({ text: 'Good day' }));
      const { key, bills } = await served().newUser(model);
      const { models } = new GoogleGenAI({
        vertexai: true,
        apiKey: key,
        httpOptions: { baseUrl: served().url },
      });
      const whole = await models.generateContent({ model, contents: QUESTION.content });
      expect(whole.text).toBe('Good day');
      let text = '';
      const stream = await models.generateContentStream({ model, contents: QUESTION.content });
      for await (const chunk of stream) text += chunk.text ?? '';
      expect(text).toBe('Good day');
      const { totalTokens } = await models.countTokens({ model, contents: QUESTION.content });
      expect(totalTokens).toBeGreaterThan(0);
      const bill = { status: 'completed', costNanoUsd: costOf(upstream.usage) };
      expect(await bills()).toEqual([bill, bill]);
    },
  );
});
