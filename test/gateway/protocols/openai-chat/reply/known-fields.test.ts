import { describe, expect, it } from 'vitest';
import type { FieldPolicy } from '@weir/shared/catalog/channels';
import { ChatStream } from '../../../../../gateway/protocols/openai-chat/pass-through/chat-stream.ts';
import { readChatReply } from '../../../../../gateway/protocols/openai-chat/from-upstream/chat-reply.ts';
import {
  packetPerEvent,
  recording,
  WHOLE_STREAMS,
} from '../../../../support/clients/recorded-stream.ts';

const FRAME = { object: 'chat.completion', created: 1, model: 'upstream/model' };

function sent(reply: object, fieldPolicy?: FieldPolicy): unknown {
  const body = Buffer.from(JSON.stringify({ id: 'c', ...FRAME, ...reply }));
  const terms = fieldPolicy === undefined ? {} : { fieldPolicy };
  return JSON.parse(readChatReply(body, 'm', terms)?.bytes.toString() ?? '');
}

const MESSAGE = { role: 'assistant', content: 'Hi' };
const choice = (message: object, more: object = {}): object => ({
  choices: [{ index: 0, message: { ...MESSAGE, ...message }, finish_reason: 'stop', ...more }],
});

/** Members of the reply that vendors document and clients read. */
const KEPT: Readonly<Record<string, object>> = {
  openai: {
    ...choice({
      refusal: null,
      annotations: [{ type: 'url_citation', url_citation: { url: 'u', title: 't' } }],
      audio: { id: 'a', data: '', expires_at: 1, transcript: 'Hi' },
    }),
    service_tier: 'default',
    system_fingerprint: 'fp_44709d6fcb',
    moderation: { input: { type: 'moderation_results', results: [] } },
  },
  azure: {
    ...choice(
      { context: { citations: [{ content: 'c', url: 'u' }], intent: 'i' } },
      { content_filter_results: { hate: { filtered: false, severity: 'safe' } } },
    ),
    prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }],
  },
  deepseek: {
    ...choice({ reasoning_content: 'why' }),
    system_fingerprint: 'fp_eaab8d114b_prod0820_fp8_kvcache',
    usage: {
      ...{ prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
      ...{ prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 4 },
    },
  },
  openrouter: choice({
    reasoning: 'why',
    reasoning_details: [{ type: 'reasoning.text', text: 'why', signature: 's', format: 'f' }],
    images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,' } }],
  }),
  perplexity: {
    ...choice({}),
    citations: ['https://a.example'],
    search_results: [{ title: 't', url: 'https://a.example', date: null }],
    usage: {
      ...{ prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
      ...{ search_context_size: 'low', num_search_queries: 1, citation_tokens: 3 },
    },
  },
  google: choice({
    tool_calls: [
      {
        id: 'c1',
        type: 'function',
        function: { name: 'f', arguments: '{}' },
        extra_content: { google: { thought_signature: 's' } },
      },
    ],
  }),
  litellm: choice({
    thinking_blocks: [{ type: 'thinking', thinking: 'why', signature: 's' }],
    provider_specific_fields: { thought_signatures: ['s'] },
    tool_calls: [
      {
        id: 'c1',
        type: 'function',
        function: { name: 'f', arguments: '{}' },
        provider_specific_fields: { thought_signature: 's' },
      },
    ],
  }),
  vllm: {
    ...choice({}, { stop_reason: 'END', token_ids: [1], logprobs: { content: [] } }),
    prompt_logprobs: null,
    prompt_token_ids: [1, 2],
  },
  sglang: choice({}, { matched_stop: 2 }),
  'llama.cpp': { ...choice({}), timings: { prompt_n: 8, predicted_per_second: 51.5 } },
};

it.each(Object.entries(KEPT))('all that %s documents of its replies passes', (_, reply) => {
  const passed = sent(reply) as { choices: { finish_reason: string }[] };
  for (const one of passed.choices) one.finish_reason = 'stop';
  expect(passed).toEqual({ id: 'c', ...FRAME, ...reply, model: 'm' });
});

/** Members that show who served it, and their places. */
const TELLING: Readonly<Record<string, object>> = {
  bifrost: { extra_fields: { provider: 'p', model_requested: 'upstream/model', latency: 5 } },
  'groq, by name': { x_groq: { id: 'req_1' } },
  litellm: {
    ...choice({ provider_specific_fields: { azure: {} } }, { provider_specific_fields: {} }),
    provider_specific_fields: { region: 'eu' },
    _hidden_params: { api_base: 'b' },
  },
  'llama.cpp': { __verbose: { model: '/models/m.gguf', prompt: 'p' }, id_slot: 3 },
  'lm studio': {
    stats: { draft_model: 'upstream/draft' },
    model_info: { arch: 'a' },
    runtime: { name: 'n' },
    system_fingerprint: 'upstream/model',
  },
  ollama: { system_fingerprint: 'fp_ollama' },
  openrouter: { ...choice({}, { native_finish_reason: 'STOP' }), provider: 'p' },
  vllm: { kv_transfer_params: { remote_host: '10.0.0.1' } },
};

it.each(Object.entries(TELLING))('nothing of %s passes', (_, reply) => {
  const passed = sent({ ...choice({}), ...reply });
  const plain = { id: 'c', ...FRAME, ...choice({}), model: 'm' };
  const told = JSON.stringify(passed).replaceAll(/,"provider_specific_fields":\{\}/g, '');
  expect(JSON.parse(told)).toEqual(plain);
});

it('the id of a reply does not name OpenRouter, whole and streamed', () => {
  expect(sent({ id: 'gen-17-x', ...choice({}) })).toMatchObject({ id: 'chatcmpl-17-x' });
  const stream = new ChatStream({ publicModel: 'm', includeUsage: false, choices: 1 });
  const bytes = packetPerEvent(recording('openrouter-text.chunks.txt')).map((packet) =>
    Buffer.from(stream.push(packet)),
  );
  expect(Buffer.concat(bytes).toString()).not.toMatch(/gen-|OPENROUTER|Somebody|vendor/);
});

describe('a recorded stream', () => {
  /** Lost as they say who serves; see above. */
  const LOST: Readonly<Record<string, readonly string[]>> = {
    'openrouter-text': ['native_finish_reason'],
    'ollama-tools': ['system_fingerprint'],
  };

  it.each(WHOLE_STREAMS)('loses nothing else: %s', (name) => {
    const [known = '', all = ''] = (['known', 'all'] as const).map((fieldPolicy) => {
      const options = { publicModel: 'm', includeUsage: true, choices: 2, fieldPolicy };
      const stream = new ChatStream(options);
      const packets = packetPerEvent(recording(`${name}.chunks.txt`));
      const parts = packets.map((packet) => Buffer.from(stream.push(packet)));
      return Buffer.concat([...parts, Buffer.from(stream.endMarker())]).toString();
    });
    const lost = LOST[name] ?? [];
    const kept = lost.reduce(
      (text, field) => text.replaceAll(new RegExp(`,?"${field}":(?:"[^"]*"|null)`, 'g'), ''),
      all,
    );
    expect(eventsIn(known)).toEqual(eventsIn(kept));
    for (const field of lost) expect(all).toContain(field);
  });
});

function eventsIn(text: string): unknown[] {
  const made = text.replaceAll(/"(?:id|created)":(?:"chatcmpl-[0-9a-f]{32}"|\d+)/g, '"made":0');
  return (made.match(/(?<=^data: )\{.*$/gm) ?? []).map((json) => JSON.parse(json) as unknown);
}

it('chunks with fields that stay here are recognised, as others are', () => {
  const chunk = (content: string): Buffer => {
    const choices = [{ index: 0, delta: { content }, finish_reason: null }];
    const extra = { extra_fields: { provider: 'secret' } };
    const body = { id: 'c', ...FRAME, object: 'chat.completion.chunk', choices, ...extra };
    return Buffer.from(`data: ${JSON.stringify(body)}\n\n`);
  };
  const stream = new ChatStream({ publicModel: 'm', includeUsage: false, choices: 1 });
  const parse = JSON.parse;
  let parsed = 0;
  JSON.parse = (...args: Parameters<typeof parse>): unknown => {
    parsed += 1;
    return parse(...args);
  };
  try {
    let text = '';
    for (let index = 0; index < 50; index += 1) {
      text += Buffer.from(stream.push(chunk(`${index} "x" `))).toString();
    }
    expect(text).not.toMatch(/extra_fields|secret|upstream/);
    expect(text.match(/"content":"\d+ \\"x\\" "/g)).toHaveLength(50);
    // Beginning, example, and what a template asks of its own text.
    expect(parsed).toBeLessThan(12);
  } finally {
    JSON.parse = parse;
  }
});
