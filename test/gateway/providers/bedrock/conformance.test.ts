/** The fake is right: the clients of AWS and of Anthropic are served by it as by Bedrock. */
import AnthropicBedrock from '@anthropic-ai/bedrock-sdk';
import {
  BedrockRuntimeClient,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
} from '@aws-sdk/client-bedrock-runtime';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AWS_ERRORS } from '../../../support/upstreams/fake-aws/aws-error.ts';
import { startFakeAws, type FakeAws } from '../../../support/upstreams/fake-aws/fake-aws.ts';
import {
  ACCESS_KEY_ID,
  SECRET_ACCESS_KEY,
  SESSION_KEY_ID,
  SESSION_TOKEN,
} from '../../../support/upstreams/fake-aws/verify-request.ts';

const MODEL = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const MESSAGE = {
  id: 'msg_bdrk_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5-20250929',
  content: [{ type: 'text', text: 'Grüße aus der Cloud' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 12, output_tokens: 7 },
};
const PROMPT = { max_tokens: 64, messages: [{ role: 'user' as const, content: 'Hello' }] };
const BODY = JSON.stringify({ anthropic_version: 'bedrock-2023-05-31', ...PROMPT });

let aws: FakeAws;
let client: BedrockRuntimeClient;

beforeAll(async () => {
  aws = await startFakeAws();
  client = new BedrockRuntimeClient({
    endpoint: aws.url,
    region: 'us-east-1',
    credentials: {
      accessKeyId: SESSION_KEY_ID,
      secretAccessKey: SECRET_ACCESS_KEY,
      sessionToken: SESSION_TOKEN,
    },
    requestHandler: new NodeHttpHandler(),
    maxAttempts: 1,
  });
});

afterAll(async () => {
  client.destroy();
  await aws.close();
});

async function stream(): Promise<unknown[]> {
  const { body = [] } = await client.send(
    new InvokeModelWithResponseStreamCommand({ modelId: MODEL, body: BODY }),
  );
  const events: unknown[] = [];
  for await (const { chunk } of body)
    events.push(JSON.parse(Buffer.from(chunk?.bytes ?? '').toString()));
  return events;
}

describe('the AWS SDK', () => {
  it('gets a whole reply and a stream', async () => {
    aws.reply = () => ({ message: MESSAGE });
    const { body } = await client.send(new InvokeModelCommand({ modelId: MODEL, body: BODY }));
    expect(JSON.parse(body.transformToString())).toEqual(MESSAGE);
    expect(await stream()).toContainEqual({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'Grüße aus ' },
    });
  });

  it.each(Object.entries(AWS_ERRORS))('knows the error %s', async (_name, error) => {
    aws.reply = () => ({ error });
    const command = new InvokeModelCommand({ modelId: MODEL, body: BODY });
    await expect(client.send(command)).rejects.toMatchObject({
      name: error.type,
      message: error.message,
      $metadata: { httpStatusCode: error.status },
    });
  });

  it('throws what a stream breaks off with', async () => {
    aws.reply = () => ({ message: MESSAGE, error: AWS_ERRORS.throttled, exceptionAfter: 3 });
    await expect(stream()).rejects.toMatchObject({ name: 'ThrottlingException' });
  });

  it('is refused with another secret', async () => {
    const stranger = new BedrockRuntimeClient({
      endpoint: aws.url,
      region: 'us-east-1',
      credentials: { accessKeyId: ACCESS_KEY_ID, secretAccessKey: 'another' },
      requestHandler: new NodeHttpHandler(),
      maxAttempts: 1,
    });
    const command = new InvokeModelCommand({ modelId: MODEL, body: BODY });
    await expect(stranger.send(command)).rejects.toMatchObject({
      name: 'InvalidSignatureException',
    });
    stranger.destroy();
  });
});

describe('Anthropic’s SDK for Bedrock', () => {
  it('gets a whole reply and a stream', async () => {
    aws.reply = () => ({ message: MESSAGE });
    const anthropic = new AnthropicBedrock({
      baseURL: aws.url,
      awsRegion: 'us-east-1',
      awsAccessKey: ACCESS_KEY_ID,
      awsSecretKey: SECRET_ACCESS_KEY,
      maxRetries: 0,
    });
    expect(await anthropic.messages.create({ model: MODEL, ...PROMPT })).toMatchObject(MESSAGE);
    const whole = await anthropic.messages.stream({ model: MODEL, ...PROMPT }).finalMessage();
    expect(whole.content).toEqual(MESSAGE.content);
    expect(aws.requests.at(-1)?.body).not.toHaveProperty('model');
  });
});
