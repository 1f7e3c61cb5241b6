import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ChannelEntry } from '../../../gateway/catalog/snapshot.ts';
import { listModels, probeModel } from '../../../gateway/data-plane/channel-probe.ts';
import { HANG_MS } from '../../support/clocks/hang.ts';
import { openChannel } from './upstream/support/open-channel.ts';

const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude',
  content: [{ type: 'text', text: 'ok' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 3, output_tokens: 1 },
};

function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

const BEGINNING = [
  event('message_start', { message: { ...MESSAGE, content: [], stop_reason: null } }),
  event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'ok' } }),
].join('');
const END = [
  event('content_block_stop', { index: 0 }),
  event('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } }),
  event('message_stop', {}),
].join('');

let seen: IncomingHttpHeaders[] = [];
let stream = '';
let channel: ChannelEntry;

const server = createServer((request, response) => {
  seen.push(request.headers);
  let body = '';
  request.on('data', (chunk) => (body += String(chunk)));
  request.on('end', () => {
    const isStream = body.includes('"stream":true');
    response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
    const list = { data: [{ id: 'claude' }] };
    response.end(isStream ? stream : JSON.stringify(request.method === 'GET' ? list : MESSAGE));
  });
});

beforeAll(async () => {
  const open = await openChannel(server);
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  channel = { ...open, kind: 'anthropic', baseUrl: origin };
});
beforeEach(() => {
  seen = [];
});
afterAll(() => {
  server.close();
});

const options = () =>
  ({ channel, credential: 'sk-ant-key', allowPrivate: true, timeoutMs: HANG_MS }) as const;

it('a test of an Anthropic channel sends what requests send, the version among it', async () => {
  stream = BEGINNING + END;
  expect(await probeModel(options(), 'claude')).toMatchObject({ ok: true, reply: 'ok' });
  expect(await listModels(options())).toEqual(['claude']);
  expect(seen).toHaveLength(3);
  for (const headers of seen) {
    expect(headers['anthropic-version']).toBeDefined();
    expect(headers['x-api-key']).toBe('sk-ant-key');
  }
});

it.each([
  ['ends before its reply does', BEGINNING],
  ['begins with an error', event('error', { error: { type: 'overloaded_error', message: 'no' } })],
  ['is a page', '<html></html>'],
])('a channel fails its test whose stream %s', async (_what, text) => {
  stream = text;
  expect(await probeModel(options(), 'claude')).toMatchObject({ ok: false });
});
