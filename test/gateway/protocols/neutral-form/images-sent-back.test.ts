/** A client sends the conversation back, with what the model has drawn in it. */
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import {
  isGenerating,
  translate,
  type GeneratingProtocol,
} from '../../../../gateway/protocols/neutral-form/translations/translate.ts';
import type { ProtocolId } from '../../../../gateway/protocols/protocol.ts';
import { PROMPT_COUNTERS } from '../../../../gateway/protocols/prompt-counters.ts';
import { protocolOf } from '../../../../gateway/protocols/registry.ts';
import { takeTurns } from '../../../support/machine/take-turns.ts';
import { PROTOCOL_DEFAULTS } from '../../../../gateway/providers/profiles/protocol-defaults.ts';
import { targetOf } from '../../../support/upstreams/target.ts';
import {
  eventsIn,
  objectsIn,
  IMAGE_CLIENTS,
  requestOf,
  type ImageClient,
} from './support/image-clients.ts';

const BASE64 = 'iVBORw0KGgo=';
const DATA_URL = `data:image/png;base64,${BASE64}`;

type Body = Readonly<Record<string, unknown>>;

/** Conversations in which the model has drawn, by the protocol of the client. */
const HISTORIES: Readonly<Partial<Record<ProtocolId, (url: string) => Body>>> = {
  'openai-chat': (url) => ({
    messages: [
      { role: 'user', content: 'Draw.' },
      { role: 'assistant', content: '', images: [{ type: 'image_url', image_url: { url } }] },
      { role: 'user', content: 'Bluer.' },
    ],
  }),
  'openai-responses': (url) => ({
    input: [
      { role: 'user', content: 'Draw.' },
      { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: url.slice(22) },
      { role: 'user', content: 'Bluer.' },
    ],
  }),
  gemini: (url) => ({
    contents: [
      { role: 'user', parts: [{ text: 'Draw.' }] },
      { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: url.slice(22) } }] },
      { role: 'user', parts: [{ text: 'Bluer.' }] },
    ],
  }),
};

const USER_TURNS = ['Draw.', 'Bluer.'];

/** What an upstream gets: what of it is the model's, and the texts of the others. */
const UPSTREAMS: readonly { readonly protocol: ProtocolId; readonly made: object | null }[] = [
  {
    protocol: 'openai-chat',
    made: {
      role: 'assistant',
      content: '',
      images: [{ type: 'image_url', image_url: { url: DATA_URL } }],
    },
  },
  { protocol: 'anthropic-messages', made: null },
  { protocol: 'openai-responses', made: null },
  {
    protocol: 'gemini',
    made: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: BASE64 } }] },
  },
];

function generating(id: ProtocolId): GeneratingProtocol {
  const protocol = protocolOf(id);
  if (!isGenerating(protocol)) throw new Error(`${id} generates nothing`);
  return protocol;
}

function clientOf(id: ProtocolId): ImageClient {
  const found = IMAGE_CLIENTS.find(({ protocol }) => protocol === id);
  if (found === undefined) throw new Error(`no client speaks ${id}`);
  return found;
}

interface Sent {
  readonly from: ProtocolId;
  readonly to: ProtocolId;
  readonly fields: object;
  readonly upstreamModel?: string;
}

/** The turns that an upstream is sent. */
function turns({ from, to, fields, upstreamModel }: Sent): readonly Body[] {
  const codec = translate(generating(from), generating(to));
  const request = requestOf(clientOf(from), false, fields);
  const target =
    upstreamModel === undefined
      ? targetOf({ profile: PROTOCOL_DEFAULTS[to] })
      : targetOf({ upstreamModel }, to);
  const encoded = codec.encode(request, target);
  if (isRefusal(encoded)) throw new Error(encoded.message);
  const sent = JSON.parse(encoded.body.toString()) as Record<string, unknown>;
  return (sent['messages'] ?? sent['contents'] ?? sent['input']) as readonly Body[];
}

const CELLS = Object.entries(HISTORIES).flatMap(([from, history]) =>
  UPSTREAMS.map(({ protocol: to, made }) => ({ from: from as ProtocolId, history, to, made })),
);

describe('an image of the model’s is sent back', () => {
  it.each(CELLS)('by a client of $from to $to', ({ from, history, to, made }) => {
    const sent = turns({ from, to, fields: history(DATA_URL) });
    const own = sent.filter(({ role }) => role === 'assistant' || role === 'model');
    expect(own).toEqual(made === null ? [] : [made]);
    const texts = JSON.stringify(sent.filter(({ role }) => role === 'user'));
    for (const text of USER_TURNS) expect(texts).toContain(text);
    expect(JSON.stringify(sent).includes(BASE64)).toBe(made !== null);
  });

  it('by its address: as text to Gemini, which fetches nothing', () => {
    const fields = HISTORIES['openai-chat']?.('https://example.com/a.png') ?? {};
    expect(turns({ from: 'openai-chat', to: 'gemini', fields })[1]).toEqual({
      role: 'model',
      parts: [{ text: 'https://example.com/a.png' }],
    });
  });

  it('not to OpenAI’s own models, which know no such field', () => {
    const fields = HISTORIES['gemini']?.(DATA_URL) ?? {};
    const sent = turns({ from: 'gemini', to: 'openai-chat', fields, upstreamModel: 'gpt-5.5' });
    expect(sent.map(({ role }) => role)).toEqual(['user', 'user']);
  });

  it.each(Object.entries(HISTORIES))(
    'and is held for as an image, not as text: %s',
    (id, history) => {
      const client = clientOf(id as ProtocolId);
      const size = (url: string) => {
        const request = requestOf(client, false, history(url));
        const { textTokensBound, promptTokensEstimate, bytes } = request;
        const { value: counted } = takeTurns(PROMPT_COUNTERS[client.protocol]('m', bytes));
        return { textTokensBound, promptTokensEstimate, counted };
      };
      const large = size(`${DATA_URL.slice(0, 22)}${'A'.repeat(4_000_000)}`);
      expect(large).toEqual(size(DATA_URL));
      expect(large.promptTokensEstimate).toBeGreaterThan(85);
      expect(large.counted).toBeGreaterThan(85);
    },
  );

  it('without a result: only its upstream has it, and it is left out', () => {
    const call = { type: 'image_generation_call', id: 'ig_1', status: 'completed' };
    const input = [{ role: 'user', content: 'Draw.' }, call, { role: 'user', content: 'Bluer.' }];
    const sent = turns({ from: 'openai-responses', to: 'gemini', fields: { input } });
    expect(sent.map(({ role }) => role)).toEqual(['user']);
  });

  it('without the drafts among Gemini’s thoughts', () => {
    const draft = { inlineData: { mimeType: 'image/png', data: 'DRAFT' }, thought: true };
    const contents = [
      { role: 'user', parts: [{ text: 'Draw.' }] },
      { role: 'model', parts: [draft, { text: 'Done.' }] },
    ];
    const sent = turns({ from: 'gemini', to: 'openai-chat', fields: { contents } });
    expect(sent[1]).toEqual({ role: 'assistant', content: 'Done.' });
  });
});

/**
 * "Image part is missing a thought_signature in content position 2, part position 1." is an error
 * of status 400: https://github.com/suurt8ll/open_webui_functions/issues/225.
 */
describe('Gemini 3 finds the signature of its image', () => {
  const upstreamModel = 'gemini-3-pro-image-preview';
  const SIGNATURE = 'c2lnbmF0dXJlIG9mIGEgcGljdHVyZQ==';
  const part = {
    inlineData: { mimeType: 'image/png', data: BASE64 },
    thoughtSignature: SIGNATURE,
  };
  const reply = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
  };

  function received(from: ProtocolId, stream: boolean): readonly Body[] {
    const codec = translate(generating(from), generating('gemini'));
    const fields = from === 'openai-responses' ? { include: ['reasoning.encrypted_content'] } : {};
    const request = requestOf(clientOf(from), stream, fields);
    if (!stream) {
      const read = codec.decode(Buffer.from(JSON.stringify(reply)), request, () => undefined);
      return [JSON.parse(read?.bytes.toString() ?? '{}') as Body];
    }
    const reader = codec.openStream(request, () => undefined);
    const sent = reader.push(Buffer.from(`data: ${JSON.stringify(reply)}\n\n`));
    return eventsIn(Buffer.from(sent).toString() + reader.endMarker(null));
  }

  it.each([false, true])('after chat completions, streamed: %s', (stream) => {
    const found = objectsIn(received('openai-chat', stream)).find(({ images }) => images);
    const messages = [
      { role: 'user', content: 'Draw.' },
      { role: 'assistant', content: '', images: found?.['images'] },
      { role: 'user', content: 'Bluer.' },
    ];
    const sent = turns({ from: 'openai-chat', to: 'gemini', fields: { messages }, upstreamModel });
    expect(sent[1]).toEqual({ role: 'model', parts: [part] });
  });

  it.each([false, true])('after Responses, streamed: %s', (stream) => {
    const last = received('openai-responses', stream).at(-1);
    const output = last?.['output'] ?? (last?.['response'] as Body | undefined)?.['output'];
    const input = [
      { role: 'user', content: 'Draw.' },
      ...(output as Body[]),
      { role: 'user', content: 'Bluer.' },
    ];
    const fields = { input, include: ['reasoning.encrypted_content'] };
    const sent = turns({ from: 'openai-responses', to: 'gemini', fields, upstreamModel });
    expect(sent[1]).toEqual({ role: 'model', parts: [part] });
  });

  it('or the stand-in, where a client or another model has left it out', () => {
    const fields = HISTORIES['openai-chat']?.(DATA_URL) ?? {};
    const sent = turns({ from: 'openai-chat', to: 'gemini', fields, upstreamModel });
    const stood = { ...part, thoughtSignature: 'skip_thought_signature_validator' };
    expect(sent[1]).toEqual({ role: 'model', parts: [stood] });
  });
});
