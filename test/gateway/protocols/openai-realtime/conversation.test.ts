import { beforeEach, describe, expect, it } from 'vitest';
import { isRefusal, refuse } from '../../../../gateway/platform/errors/refusal.ts';
import { OpenaiConversation } from '../../../../gateway/protocols/openai-realtime/web-socket/conversation.ts';
import { REQUEST_LIMITS } from '../../../../gateway/protocols/protocol.ts';
import type { ClientEvent, UpstreamEvent } from '../../../../gateway/protocols/realtime.ts';

let conversation: OpenaiConversation;

beforeEach(() => {
  conversation = new OpenaiConversation({
    publicModel: 'voice',
    upstreamModel: 'gpt-realtime',
    limits: REQUEST_LIMITS,
    upstreamNameOf: (model) =>
      model === 'closed' ? refuse('model_not_found', 'No.') : `vendor-${model}`,
  });
});

function say(event: object): ClientEvent {
  const read = conversation.fromClient(Buffer.from(JSON.stringify(event)));
  if (isRefusal(read)) throw new Error(read.message);
  return read;
}

const hear = (event: object): UpstreamEvent =>
  conversation.fromUpstream(Buffer.from(JSON.stringify(event)));

function turnOf(event: UpstreamEvent) {
  if (!('turn' in event)) throw new Error(`${event.kind} is of no turn`);
  return event.turn;
}

/** Asks for transcripts by a model, which the upstream confirms by its own name. */
function transcribeBy(model: string): void {
  const sessionWith = (name: string) => ({
    type: 'realtime',
    audio: { input: { transcription: { model: name } } },
  });
  say({ type: 'session.update', session: sessionWith(model) });
  hear({ type: 'session.updated', session: sessionWith(`vendor-${model}`) });
}

const COMPLETED = 'conversation.item.input_audio_transcription.completed';
const DURATION = { type: 'duration', seconds: 3 };

describe('the transcript of some speech', () => {
  it('is billed by the model that was in force when it was said, whatever is chosen later', () => {
    transcribeBy('ears');
    hear({ type: 'input_audio_buffer.committed', item_id: 'a' });
    transcribeBy('other');
    const ended = hear({ type: COMPLETED, item_id: 'a', transcript: 'hi', usage: DURATION });
    expect(ended).toMatchObject({ kind: 'ends', turn: { request: { model: 'ears' } } });
    const next = hear({ type: 'input_audio_buffer.committed', item_id: 'b' });
    expect(turnOf(next).request.model).toBe('other');
  });

  it('is billed without any reply, and once although it is reported twice', () => {
    transcribeBy('ears');
    hear({ type: 'input_audio_buffer.committed', item_id: 'a' });
    const report = { type: COMPLETED, item_id: 'a', transcript: 'hi', usage: DURATION };
    expect(turnOf(hear(report)).usage).toMatchObject({ extra: { second: 3_000 } });
    expect(hear(report).kind).toBe('passes');
  });

  it('is billed that comes without the event that its speech was committed', () => {
    transcribeBy('ears');
    const usage = { type: 'tokens', total_tokens: 0, input_tokens: 0, output_tokens: 0 };
    const report = { type: COMPLETED, item_id: 'a', transcript: 'hi', usage };
    expect(turnOf(hear(report))).toMatchObject({ usage: null, isEstimate: true });
  });
});

describe('a model that a client names within its events', () => {
  it.each([
    ['a reply', { type: 'response.create', response: { model: 'other' } }],
    ['the session', { type: 'session.update', session: { type: 'realtime', model: 'other' } }],
    [
      'transcripts, as the beta has it',
      { type: 'session.update', session: { input_audio_transcription: { model: 'closed' } } },
    ],
  ])('is refused for %s, if the key may not use it there', (_name, event) => {
    const read = conversation.fromClient(Buffer.from(JSON.stringify(event)));
    expect(isRefusal(read)).toBe(true);
  });
});

describe('a reply', () => {
  const done = (id: string, usage: object) =>
    hear({ type: 'response.done', response: { id, status: 'completed', usage } });
  const USAGE = { input_tokens: 10, output_tokens: 5 };

  it('of a session that the upstream names by a dated model is billed by the client’s model', () => {
    const created = hear({
      type: 'session.created',
      session: { type: 'realtime', model: 'gpt-realtime-2025-12-15' },
    });
    expect(created.kind === 'passes' && created.frame.toString()).toContain('"model":"voice"');
    hear({ type: 'response.created', response: { id: 'r' } });
    expect(turnOf(done('r', USAGE)).request.model).toBe('voice');
  });

  it('whose first part is the first that is heard of it is billed what was delivered', () => {
    say({ type: 'response.create' });
    const delta = { type: 'response.output_text.delta', response_id: 'r', delta: 'Hello there.' };
    const part = hear(delta);
    expect(part.kind).toBe('delivers');
    expect(turnOf(part).deliveredText()).toBe('Hello there.');
    expect(turnOf(done('r', USAGE))).toBe(turnOf(part));
    // What comes behind its end begins no other one.
    expect(hear(delta).kind).toBe('passes');
  });

  it('has a prompt of its own: what earlier ones have used is not in its report', () => {
    for (const id of ['r1', 'r2', 'r3']) {
      hear({ type: 'response.created', response: { id } });
      expect(turnOf(done(id, USAGE)).usage).toMatchObject({ input: 10, output: 5 });
    }
  });

  it('that failed before it had any output costs its report, and nothing without one', () => {
    const failed = (id: string, usage: object | null) =>
      turnOf(hear({ type: 'response.done', response: { id, status: 'failed', usage } }));
    expect(failed('r1', null)).toMatchObject({ usage: null, outputTokensEstimate: 0 });
    expect(failed('r2', USAGE).usage).toMatchObject({ input: 10 });
  });
});
