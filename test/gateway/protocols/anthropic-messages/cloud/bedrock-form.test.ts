import { ERROR_CATALOGUE, type ErrorCode } from '@weir/shared/api/error-catalogue';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refuse } from '../../../../../gateway/platform/errors/refusal.ts';
import { renderBedrockError } from '../../../../../gateway/protocols/anthropic-messages/to-client/bedrock-errors.ts';
import { frameForBedrock } from '../../../../../gateway/protocols/anthropic-messages/to-client/bedrock-frame.ts';
import { renderErrorEvent } from '../../../../../gateway/protocols/anthropic-messages/to-client/render-error.ts';
import {
  readBedrockStream,
  type BedrockStream,
} from '../../../../support/upstreams/event-stream.ts';

const CODES = Object.keys(ERROR_CATALOGUE) as ErrorCode[];

function read(events: string | Uint8Array): BedrockStream {
  return readBedrockStream(Buffer.from(frameForBedrock(events)));
}

describe('a stream for Bedrock’s clients', () => {
  it.each([
    ['as Weir writes them', 'event: ping\ndata: {"type":"ping"}\n\n'],
    ['with other line ends', 'event: ping\r\ndata: {"type":"ping"}\r\n\r\n'],
    ['with data over lines', 'event: ping\ndata: {"type":\ndata: "ping"}\n\n'],
    ['with a comment and an id', ': hello\nid: 7\nevent: ping\ndata:{"type":"ping"}\n\n'],
    ['without a name', 'data: {"type":"ping"}\n\n'],
    ['without its blank line', 'event: ping\ndata: {"type":"ping"}\n'],
  ])('has the events that come %s', (_how, event) => {
    const ping = { name: 'ping', data: { type: 'ping' } };
    expect(read(event)).toEqual({ events: [ping], exception: null });
    const plain = 'event: ping\ndata: {"type":"ping"}\n\n';
    expect(read(Buffer.from(plain + event)).events).toEqual([ping, ping]);
  });

  it('has every event of a packet, whatever its text', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), (texts) => {
        const data = texts.map((one) => ({ type: 'content_block_delta', text: one }));
        const events = data.map(
          (one) => `event: content_block_delta\ndata: ${JSON.stringify(one)}\n\n`,
        );
        expect(read(events.join('')).events.map((event) => event.data)).toEqual(data);
        const parts = events.map((event) => frameForBedrock(Buffer.from(event)));
        expect(Buffer.concat(parts).equals(frameForBedrock(events.join('')))).toBe(true);
      }),
    );
  });

  it.each([
    ['upstream_error', 'modelStreamErrorException'],
    ['no_channel_available', 'serviceUnavailableException'],
    ['upstream_rate_limited', 'throttlingException'],
    ['upstream_timeout', 'modelTimeoutException'],
    ['insufficient_balance', 'validationException'],
    ['context_length_exceeded', 'validationException'],
  ] as const)('ends with an exception of the right type: %s', (code, type) => {
    const { events, exception } = read(
      'event: ping\ndata: {"type":"ping"}\n\n' + renderErrorEvent(refuse(code, 'Why "it" is.')),
    );
    expect(events).toHaveLength(1);
    expect(exception).toMatchObject({
      type,
      message: expect.stringContaining('Why "it" is.') as string,
    });
  });
});

describe('an error for Bedrock’s clients', () => {
  it.each(CODES)('has a type, a message and never the status 403: %s', (code) => {
    const { status, bytes, headers } = renderBedrockError(refuse(code, 'Why it is.'));
    const { status: own } = ERROR_CATALOGUE[code];
    if (own !== 403) expect(status).toBe(own);
    else expect(status).toBe(code === 'model_not_allowed' ? 404 : 400);
    expect(JSON.parse(bytes.toString('utf8'))).toEqual({
      message: expect.stringContaining('Why it is.') as string,
    });
    expect(headers).toEqual([['x-amzn-errortype', expect.stringMatching(/Exception$/)]]);
  });

  it('has the words by which Claude Code shortens a conversation', () => {
    const refusal = refuse(
      'context_length_exceeded',
      'maximum context length is 9 tokens, not 12 tokens',
    );
    expect(renderBedrockError(refusal).bytes.toString('utf8')).toContain(
      'prompt is too long: 12 tokens > 9 maximum',
    );
    const ofBedrock = refuse('context_length_exceeded', 'Input is too long.');
    expect(JSON.parse(renderBedrockError(ofBedrock).bytes.toString('utf8'))).toEqual({
      message: 'Input is too long.',
    });
  });
});
