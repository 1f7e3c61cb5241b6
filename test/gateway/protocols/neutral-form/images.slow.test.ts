/** An image that a model has made is paid for: it reaches clients of every protocol. */
import { describe, expect, it } from 'vitest';
import {
  isGenerating,
  translate,
  type GeneratingProtocol,
} from '../../../../gateway/protocols/neutral-form/translations/translate.ts';
import type { ProtocolId } from '../../../../gateway/protocols/protocol.ts';
import { protocolOf } from '../../../../gateway/protocols/registry.ts';
import {
  eventsIn,
  IMAGE_CLIENTS,
  requestOf,
  type ImageClient,
  type Seen,
} from './support/image-clients.ts';
import { IMAGE_UPSTREAMS, urlOf, type Drawn } from './support/image-upstreams.ts';

const findFailure = (): undefined => undefined;
const PACKET_BYTES = 65_536;
const NOTE = 'The model made an image, which the Messages protocol cannot carry.';

type ImageUpstream = (typeof IMAGE_UPSTREAMS)[number];

function generating(id: ProtocolId): GeneratingProtocol {
  const protocol = protocolOf(id);
  if (!isGenerating(protocol)) throw new Error(`${id} generates nothing`);
  return protocol;
}

function codec(client: ImageClient, upstream: ImageUpstream) {
  return translate(generating(client.protocol), generating(upstream.protocol));
}

function readWhole(client: ImageClient, upstream: ImageUpstream, drawn: Drawn) {
  const body = Buffer.from(JSON.stringify(upstream.whole(drawn)));
  const request = requestOf(client, false);
  const reply = codec(client, upstream).decode(body, request, findFailure);
  if (reply === undefined) throw new Error('no reply');
  const { usage } = reply;
  const seen = client.seen(JSON.parse(reply.bytes.toString()) as Record<string, unknown>);
  return { ...seen, output: usage?.output, counted: reply.deliveredText() };
}

/** The stream comes in packets, as from a socket. */
function readStream(client: ImageClient, upstream: ImageUpstream, drawn: Drawn) {
  const stream = codec(client, upstream).openStream(requestOf(client, true), findFailure);
  const bytes = Buffer.from(upstream.events(drawn).join(''));
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += PACKET_BYTES) {
    chunks.push(stream.push(bytes.subarray(at, at + PACKET_BYTES)));
  }
  chunks.push(stream.flush());
  const { hasContent, finished, failure, usage } = stream;
  expect({ hasContent, finished, failure }).toEqual({
    hasContent: true,
    finished: true,
    failure: null,
  });
  const sent = Buffer.concat(chunks).toString() + stream.endMarker(null);
  const seen = client.seenIn(eventsIn(sent));
  return { ...seen, output: usage?.output, counted: stream.deliveredText() };
}

const CELLS = IMAGE_CLIENTS.flatMap((client) =>
  IMAGE_UPSTREAMS.flatMap((upstream) =>
    [false, true].map((stream) => ({
      client,
      upstream,
      stream,
      name: `${client.protocol} over ${upstream.protocol} (${upstream.form}), streamed: ${stream}`,
    })),
  ),
);

function read({ client, upstream, stream }: (typeof CELLS)[number], drawn: Drawn) {
  return (stream ? readStream : readWhole)(client, upstream, drawn);
}

/** The expected view of a client on a reply. */
function expected({ protocol, plainEnd }: ImageClient, drawn: Drawn): Seen {
  const { text = '', url } = drawn;
  const end = plainEnd;
  if (protocol === 'anthropic-messages') {
    const note = url === undefined ? NOTE : `The model made an image: ${url}`;
    return { text: [text, note].filter((one) => one !== '').join('|'), images: [], end };
  }
  if (url === undefined || protocol === 'openai-chat') {
    return { text, images: [urlOf(drawn)], end };
  }
  // These two have bytes only.
  const texts = [text, url].filter((one) => one !== '');
  return { text: texts.join(protocol === 'gemini' ? '' : '|'), images: [], end };
}

describe('an image reaches the client', () => {
  it.each(CELLS)('behind a text: $name', (cell) => {
    const drawn = { text: 'Here it is.', base64: 'iVBORw0KGgo=', mediaType: 'image/jpeg' };
    expect(read(cell, drawn)).toEqual({
      ...expected(cell.client, drawn),
      output: 1_290,
      counted: 'Here it is.',
    });
  });

  it.each(CELLS)('alone, and the reply is not empty: $name', (cell) => {
    const drawn = { base64: 'iVBORw0KGgo=' };
    expect(read(cell, drawn)).toEqual({
      ...expected(cell.client, drawn),
      output: 1_290,
      counted: '',
    });
  });

  it.each(CELLS.filter(({ upstream }) => upstream.hasUrls))('by its address: $name', (cell) => {
    const drawn = { text: 'Look:', url: 'https://example.com/a.png' };
    expect(read(cell, drawn)).toMatchObject(expected(cell.client, drawn));
  });

  it.each(CELLS.filter(({ stream, upstream }) => stream && upstream.form !== 'content'))(
    'when it has 9 MiB: $name',
    (cell) => {
      const drawn = { base64: 'A'.repeat(9 * 1_048_576) };
      const { images, end } = read(cell, drawn);
      const wanted = expected(cell.client, drawn);
      expect([images.map((one) => one.length), end]).toEqual([
        wanted.images.map((one) => one.length),
        wanted.end,
      ]);
    },
  );
});

describe('a client that leaves with its image', () => {
  const UPSTREAM = IMAGE_UPSTREAMS.find(({ protocol }) => protocol === 'gemini');

  it.each(IMAGE_CLIENTS.map((client) => ({ client, name: client.protocol })))(
    'is billed what its upstream has reported with it: $name',
    ({ client }) => {
      if (UPSTREAM === undefined) throw new Error('no such upstream');
      const stream = codec(client, UPSTREAM).openStream(requestOf(client, true), findFailure);
      const [text = '', , image = ''] = UPSTREAM.events({ text: 'T', base64: 'AA==' });
      stream.push(Buffer.from(text));
      // Text can be counted.
      expect(stream.usage).toBeNull();
      stream.push(Buffer.from(image));
      expect(stream.usage).toMatchObject({ input: 10, output: 1_290 });
      expect(stream.finished).toBe(false);
    },
  );
});

describe('a Responses client', () => {
  it('can follow the events of an image among texts', () => {
    const client = IMAGE_CLIENTS.find(({ protocol }) => protocol === 'openai-responses');
    const upstream = IMAGE_UPSTREAMS.find(({ form }) => form === 'images');
    if (client === undefined || upstream === undefined) throw new Error('no such cell');
    const stream = codec(client, upstream).openStream(requestOf(client, true), findFailure);
    const events = upstream.events({ text: 'T', base64: 'AA==' });
    const sent = Buffer.from(stream.push(Buffer.from(events.join('')))).toString();
    const all = eventsIn(sent + stream.endMarker(null));
    expect(all.map((event) => event['sequence_number'])).toEqual(all.map((_, index) => index));
    const about = all.filter((event) => event['output_index'] === 1);
    const item = {
      type: 'image_generation_call',
      id: expect.stringMatching(/^ig_[0-9a-f]{32}$/) as string,
    };
    const whole = { ...item, status: 'completed', result: 'AA==', output_format: 'png' };
    expect(about).toMatchObject([
      { type: 'response.output_item.added', item: { ...item, status: 'in_progress' } },
      { type: 'response.image_generation_call.completed' },
      { type: 'response.output_item.done', item: whole },
    ]);
    const id = (about[2]?.['item'] as { id: string }).id;
    expect(about[1]).toMatchObject({ item_id: id });
    expect(all.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { output: [{ type: 'message' }, { ...whole, id }] },
    });
  });
});
