/** Bodies that upstreams of every protocol get: a writer writes what the fit has left. */
import { describe, expect, it } from 'vitest';
import { isRefusal, type Refusal } from '../../../../gateway/platform/errors/refusal.ts';
import { fitRequest } from '../../../../gateway/protocols/neutral-form/fit/fit-request.ts';
import type { Restoration } from '../../../../gateway/protocols/neutral-form/fit/fitted-request.ts';
import type {
  AssistantPart,
  NeutralMessage,
  NeutralRequest,
} from '../../../../gateway/protocols/neutral-form/request.ts';
import { isGenerating } from '../../../../gateway/protocols/neutral-form/translations/translate.ts';
import { upstreamProtocolOf } from '../../../../gateway/protocols/registry.ts';
import { profileOf } from '../../../../gateway/providers/profiles/profile-of.ts';
import { targetOf } from '../../../support/upstreams/target.ts';

const MODELS = [
  ['openai-chat', 'openai', 'gpt-5.5'],
  ['openai-responses', 'openai', 'gpt-5.5'],
  ['anthropic-messages', 'anthropic', 'claude-opus-4-5'],
  ['gemini', 'gemini', 'gemini-3-pro'],
  ['bedrock-converse', 'bedrock', 'us.amazon.nova-pro-v1:0'],
] as const;

type Protocol = (typeof MODELS)[number][0];

interface Sent {
  readonly text: string;
  readonly restoration: Restoration | null;
}

/** The body as text, and what is changed back in its reply. */
function sent(
  chosen: string,
  [protocol, upstreamModel]: readonly [Protocol, string],
  request: Partial<NeutralRequest>,
): Sent | Refusal {
  const upstream = upstreamProtocolOf(protocol);
  if (!isGenerating(upstream)) throw new Error(`${protocol} generates nothing`);
  const baseUrl = 'http://upstream.test';
  const at = { kind: 'openai', baseUrl, upstreamModel, chosen } as const;
  const profile = profileOf({ ...at, upstreamProtocol: upstream.id });
  const whole = { stream: false, messages: [USER], tools: [], choices: 1, ...request };
  const fitted = fitRequest(whole, profile);
  if (isRefusal(fitted)) return fitted;
  const target = targetOf({ profile, upstreamModel });
  const body = upstream.neutralForm.writeRequest(fitted.request, target);
  return isRefusal(body) ? body : { text: JSON.stringify(body), restoration: fitted.restoration };
}

function found(given: Sent | Refusal): Sent {
  if (isRefusal(given)) throw new Error(given.message);
  return given;
}

const USER: NeutralMessage = { role: 'user', parts: [{ type: 'text', text: 'U' }] };
const CALL = { type: 'tool_call', id: 'c1', name: 'f', input: '{}', freeForm: false } as const;
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

function assistant(...parts: AssistantPart[]): NeutralMessage {
  return { role: 'assistant', parts };
}

const CLAUDE = ['anthropic-messages', 'claude-opus-4-5'] as const;
const CLAUDES = [
  ['anthropic', CLAUDE],
  ['bedrock', ['bedrock-converse', 'us.anthropic.claude-opus-4-5-20251101-v1:0']],
  ['openrouter', ['openai-chat', 'anthropic/claude-opus-4.5']],
] as const;

describe('stop sequences of nothing but white space', () => {
  it.each(CLAUDES)('are honoured by Weir for a Claude at %s, who refuses them', (vendor, to) => {
    const { text, restoration } = found(sent(vendor, to, { stop: ['\n\n', 'END'] }));
    expect(text).toContain('END');
    expect(text).not.toContain('\\n\\n');
    expect(restoration?.stopSequences).toEqual(['\n\n', 'END']);
  });

  it('are sent where they are taken', () => {
    const to = ['openai-chat', 'gpt-4.1'] as const;
    const { text, restoration } = found(sent('openai', to, { stop: ['\n\n'] }));
    expect(text).toContain('\\n\\n');
    expect(restoration).toBeNull();
  });

  it('that are empty mean nothing, and nothing is watched for them', () => {
    const { text, restoration } = found(sent('anthropic', CLAUDE, { stop: [''] }));
    expect(text).not.toContain('stop');
    expect(restoration).toBeNull();
  });
});

describe('a file of a type that a model does not read', () => {
  const file = { type: 'file', source: { base64: 'AA==', mediaType: DOCX } } as const;

  it('is refused where a person sends it, and named to the model where a tool does', () => {
    const given = sent('anthropic', CLAUDE, { messages: [{ role: 'user', parts: [file] }] });
    expect(given).toMatchObject({ param: 'messages' });
    const result = { type: 'tool_result', callId: 'c1', content: [file], isError: false } as const;
    const messages: NeutralMessage[] = [USER, assistant(CALL), { role: 'tool', parts: [result] }];
    expect(found(sent('anthropic', CLAUDE, { messages })).text).toContain('has been left out');
    const converse = ['bedrock-converse', 'us.anthropic.claude-opus-4-5-20251101-v1:0'] as const;
    expect(found(sent('bedrock', converse, { messages })).text).toContain('"format":"docx"');
  });

  it('is sent by its address to vendors that fetch it', () => {
    const source = { url: 'https://example.com/a.pdf' };
    const messages: NeutralMessage[] = [{ role: 'user', parts: [{ type: 'file', source }] }];
    const to = ['openai-chat', 'google/gemini-3-pro'] as const;
    expect(found(sent('openrouter', to, { messages })).text).toContain(source.url);
    expect(sent('openai', ['openai-chat', 'gpt-5.5'], { messages })).toMatchObject({
      param: 'messages',
    });
  });
});

describe('thoughts that led to nothing', () => {
  const proofs = {
    'anthropic-messages': 'anthropic-messages',
    'bedrock-converse': 'anthropic-messages',
    'openai-responses': 'openai-responses',
  } as const;
  const upstreams = [
    ['anthropic-messages', 'anthropic', 'claude-opus-4-5'],
    ['bedrock-converse', 'bedrock', 'us.anthropic.claude-opus-4-5-20251101-v1:0'],
    ['openai-responses', 'openai', 'gpt-5.5'],
  ] as const;

  it.each(upstreams)('are not the end of a turn over %s', (protocol, vendor, model) => {
    const proof = { of: proofs[protocol], value: 'c2ln' } as const;
    const thought = { type: 'reasoning', text: 'R', proof } as const;
    const said = { type: 'text', text: 'T' } as const;
    const turns = [
      [assistant(said, thought)],
      [assistant(said), assistant(thought)],
      [assistant(thought)],
    ];
    for (const turn of turns) {
      const given = sent(vendor, [protocol, model], { messages: [USER, ...turn, USER] });
      expect(found(given).text).not.toContain('c2ln');
    }
    const led = [USER, assistant(thought, said), USER];
    expect(found(sent(vendor, [protocol, model], { messages: led })).text).toContain('c2ln');
  });
});

describe.each(MODELS)('a conversation over %s', (id, vendor, upstreamModel) => {
  it('has no empty texts, and names which result an image is from', () => {
    const png = {
      type: 'image',
      source: { base64: 'iVBORw0KGgo=', mediaType: 'image/png' },
    } as const;
    const messages: NeutralMessage[] = [
      {
        role: 'user',
        parts: [
          { type: 'text', text: '' },
          { type: 'text', text: 'U' },
        ],
      },
      assistant({ type: 'text', text: '' }, CALL),
      {
        role: 'tool',
        parts: [{ type: 'tool_result', callId: 'c1', content: [png], isError: false }],
      },
    ];
    const { text } = found(sent(vendor, [id, upstreamModel], { messages }));
    expect(text).not.toContain('"text":""');
    expect(text).toContain('iVBORw0KGgo=');
    const inResult = ['openai-responses', 'anthropic-messages', 'bedrock-converse'].includes(id);
    expect(text.includes('From the result of f (call c1)')).toBe(!inResult);
  });
});
