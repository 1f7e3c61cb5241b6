import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { refuse } from '../../../../gateway/platform/errors/refusal.ts';
import {
  renderError,
  renderErrorEvent,
} from '../../../../gateway/protocols/openai-family/render-error.ts';
import { packetPerEvent, recording, translate } from '../../../support/clients/recorded-stream.ts';

/** The official SDK, answered with these bytes. */
function sdk(body: string, init: ResponseInit): OpenAI {
  return new OpenAI({
    apiKey: 'sk-none',
    baseURL: 'http://sdk.invalid/v1',
    maxRetries: 0,
    fetch: () => Promise.resolve(new Response(body, init)),
  });
}

const STREAM = { headers: { 'content-type': 'text/event-stream' } };
const ASK = { model: 'public-model', messages: [{ role: 'user' as const, content: 'x' }] };

async function finalMessage(name: string): Promise<OpenAI.Chat.Completions.ChatCompletion> {
  const { text } = translate(packetPerEvent(recording(`${name}.chunks.txt`)), {
    choices: 2,
    includeUsage: true,
  });
  return sdk(text, STREAM).chat.completions.stream(ASK).finalChatCompletion();
}

describe('the official OpenAI SDK', () => {
  it.each([
    'openai-text',
    'deepseek-reasoning',
    'openrouter-text',
    'vllm-continuous-usage',
    'azure-text',
    'bare',
    'mistral-thinking',
    'two-choices',
  ])('reads the translated stream %s to its end', async (name) => {
    const completion = await finalMessage(name);
    expect(completion.model).toBe('public-model');
    expect(completion.choices[0]?.message.content).toMatch(/\w/);
    expect(completion.choices[0]?.finish_reason).toBe('stop');
  });

  it.each([
    'openai-tools',
    'gemini-tools',
    'ollama-tools',
    'repeated-tool-fields',
    'one-index-tools',
  ])('finds two tool calls with arguments it can parse in %s', async (name) => {
    const { choices } = await finalMessage(name);
    const calls = choices[0]?.message.tool_calls ?? [];
    expect(calls.length).toBe(2);
    for (const call of calls) {
      if (call.type !== 'function') throw new Error('not a function');
      expect(call.function.name).toMatch(/^[a-z_]+$/);
      expect(JSON.parse(call.function.arguments)).toBeTypeOf('object');
    }
    expect(choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('reports the usage that came in a chunk of its own', async () => {
    expect((await finalMessage('deepseek-reasoning')).usage).toMatchObject({ prompt_tokens: 12 });
  });

  it('throws what an error event says', async () => {
    const { text } = translate(packetPerEvent(recording('error-after-content.chunks.txt')));
    const body = text + renderErrorEvent(refuse('upstream_error', 'It broke off.'));
    const stream = await sdk(body, STREAM).chat.completions.create({ ...ASK, stream: true });
    let content = '';
    await expect(async () => {
      for await (const chunk of stream) content += chunk.choices[0]?.delta.content ?? '';
    }).rejects.toThrow('It broke off.');
    expect(content).toBe('Half a');
  });

  it('reads code, type and param of a rendered error', async () => {
    const { status, bytes } = renderError(refuse('model_not_found', 'No x.', { param: 'model' }));
    const headers = { 'content-type': 'application/json' };
    await expect(
      sdk(bytes.toString(), { status, headers }).chat.completions.create(ASK),
    ).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
      type: 'invalid_request_error',
      param: 'model',
    });
  });
});
