/** The fake is right as far as the vendors' own libraries are content with it. */
import { AnthropicVertex } from '@anthropic-ai/vertex-sdk';
import { GoogleGenAI } from '@google/genai';
import { GoogleAuth, JWT, OAuth2Client } from 'google-auth-library';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  EXPRESS_KEY,
  PROJECT,
  startFakeGoogle,
  type FakeGoogle,
} from '../../../support/upstreams/fake-google/fake-google.ts';
import { streamedReply, wholeReply } from '../../../support/upstreams/strict-upstream/replies.ts';

const LOCATION = 'us-east5';

let google: FakeGoogle;

beforeAll(async () => {
  google = await startFakeGoogle();
});

afterAll(() => google.close());

function accessToken(): string {
  return String(google.tokens.issue().body['access_token']);
}

function clientWith(token: string): OAuth2Client {
  const client = new OAuth2Client();
  client.setCredentials({ access_token: token, expiry_date: Date.now() + 3_600_000 });
  return client;
}

const asked = { max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hello' }] };

it('@anthropic-ai/vertex-sdk is served, whole and streamed, and counts', async () => {
  const client = new AnthropicVertex({
    region: LOCATION,
    projectId: PROJECT,
    baseURL: `${google.origin}/v1`,
    googleAuth: new GoogleAuth({ authClient: clientWith(accessToken()) }),
    maxRetries: 0,
  });
  const model = 'claude-sonnet-4-5@20250929';
  const pieces = ['It is ', 'done.'];
  google.reply = ({ method, model: named }) => {
    if (named === 'count-tokens') return { json: { input_tokens: 11 } };
    return method === 'streamRawPredict'
      ? { events: streamedReply('anthropic-messages', { pieces }) }
      : { json: wholeReply('anthropic-messages', { pieces: [pieces.join('')] }) };
  };
  const whole = await client.messages.create({ model, ...asked });
  expect(whole.content).toEqual([{ type: 'text', text: 'It is done.' }]);
  expect(await client.messages.stream({ model, ...asked }).finalText()).toBe('It is done.');
  const counted = await client.messages.countTokens({ model, messages: asked.messages });
  expect(counted.input_tokens).toBe(11);
});

it('@anthropic-ai/vertex-sdk understands how it refuses', async () => {
  const client = new AnthropicVertex({
    region: LOCATION,
    projectId: 'other-project',
    baseURL: `${google.origin}/v1`,
    googleAuth: new GoogleAuth({ authClient: clientWith(accessToken()) }),
    maxRetries: 0,
  });
  const refused = client.messages.create({ model: 'claude-opus-5-5', ...asked });
  await expect(refused).rejects.toMatchObject({ status: 403 });
});

it.each([
  ['a token', () => ({ project: PROJECT, location: LOCATION, token: accessToken() })],
  ['an API key', () => ({ apiKey: EXPRESS_KEY })],
])('@google/genai is served with %s', async (_with, options) => {
  const { token, ...access } = options() as { token?: string };
  const client = new GoogleGenAI({
    vertexai: true,
    ...access,
    apiVersion: 'v1',
    httpOptions: {
      baseUrl: google.origin,
    },
    ...(token !== undefined && { googleAuthOptions: { authClient: clientWith(token) } }),
  });
  google.reply = ({ method }) =>
    method === 'streamGenerateContent'
      ? { events: streamedReply('gemini', { pieces: ['It is ', 'done.'] }) }
      : { json: wholeReply('gemini', { pieces: ['It is done.'] }) };
  const request = { model: 'gemini-2.5-pro', contents: 'Hello' };
  expect((await client.models.generateContent(request)).text).toBe('It is done.');
  let text = '';
  for await (const chunk of await client.models.generateContentStream(request)) {
    text += chunk.text ?? '';
  }
  expect(text).toBe('It is done.');
});

it('google-auth-library makes assertions that the token endpoint accepts', async () => {
  const tokenUri = 'https://oauth2.googleapis.com/token';
  const file = JSON.parse(google.tokens.keyFile(tokenUri)) as {
    readonly client_email: string;
    readonly private_key: string;
    readonly private_key_id: string;
  };
  const client = new JWT({
    email: file.client_email,
    key: file.private_key,
    keyId: file.private_key_id,
    scopes: ['https://www.googleapis.com/auth/cloud-platform'],
    transporterOptions: {
      // The library knows one token endpoint; the fake is asked in its place.
      fetchImplementation: (_url: unknown, init?: { readonly body?: unknown }) => {
        const form = new URLSearchParams(String(init?.body));
        const { status, body } = google.tokens.exchange(form, tokenUri);
        return Promise.resolve(Response.json(body, { status }));
      },
    },
  });
  const { access_token: token } = await client.authorize();
  expect(google.tokens.isValid(token ?? '')).toBe(true);
});
