import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Catalog, type Offer } from '../../../gateway/catalog/catalog.ts';
import type { ChannelEntry } from '../../../gateway/catalog/snapshot.ts';
import { BodyBuffers } from '../../../gateway/data-plane/http/body/body-buffers.ts';
import { servedRoutes } from '../../../gateway/data-plane/routing/served-routes.ts';
import { UpstreamBodies } from '../../../gateway/data-plane/upstream-bodies.ts';
import { isRefusal } from '../../../gateway/platform/errors/refusal.ts';
import { Ticker } from '../../../gateway/platform/event-loop/ticker.ts';
import { REQUEST_LIMITS, type ParsedRequest } from '../../../gateway/protocols/protocol.ts';
import type { ModelEndpoint } from '../../../gateway/protocols/endpoint.ts';
import { ENDPOINTS, type ServedEndpoint } from '../../../gateway/protocols/registry.ts';
import { MESSAGES_HEAD } from '../../support/clients/messages-request.ts';

const MODEL = 'public-model';
const TERMS = {
  outputTokensCap: null,
  withoutProofs: false,
  fitsWhole: false,
  stored: undefined,
  withoutFields: [],
};
const endpoint = messagesEndpoint();
const ticker = new Ticker();

function messagesEndpoint(): ServedEndpoint<ModelEndpoint> {
  const found = ENDPOINTS.find(({ path }) => path === 'messages');
  if (found === undefined || !('creates' in found)) throw new Error('Messages are not served');
  return found;
}

function channel(id: string, settings: Partial<ChannelEntry> = {}): ChannelEntry {
  return {
    id,
    name: id,
    kind: 'openai',
    baseUrl: 'https://upstream.example/v1',
    credentials: [],
    priority: 1,
    weight: 1,
    timeouts: { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 },
    concurrencyMax: null,
    allowPrivate: false,
    outputLimitField: null,
    omittedFields: [],
    fieldPolicy: 'known',
    proxy: null,
    protocols: ['openai-chat'],
    storesResponses: false,
    groupIds: [],
    models: [{ modelId: 'model', upstreamName: `model-at-${id}` }],
    ...settings,
  };
}

function offerOf(channels: readonly ChannelEntry[]): Offer {
  const offer = new Catalog({
    version: 1,
    groups: [
      {
        id: 'group',
        name: 'group',
        active: true,
        isPublic: true,
        multiplierPpm: 1_000_000,
        rpm: null,
        tpm: null,
        modelIds: ['model'],
        protocols: null,
      },
    ],
    models: [
      {
        id: 'model',
        publicId: MODEL,
        vendor: 'vendor',
        createdAtSeconds: 0,
        contextTokensMax: 1_000,
        outputTokensMax: 100,
        reasoning: false,
        prices: {
          inputNanoUsd: 1,
          cachedInputNanoUsd: 1,
          cacheWriteNanoUsd: 1,
          outputNanoUsd: 1,
          perCallNanoUsd: 0,
        },
        longContext: null,
        tiers: null,
      },
    ],
    channels,
    uncheckedKeyPrefixes: [],
  }).offer({ groupId: 'group', memberships: new Map() }, MODEL);
  if ('missing' in offer) throw new Error('the catalog lacks the model');
  return offer;
}

function parse(fields: object = {}): ParsedRequest {
  const body = { model: MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] };
  const request = endpoint.protocol.parse(
    Buffer.from(JSON.stringify({ ...body, ...fields })),
    MESSAGES_HEAD,
    REQUEST_LIMITS,
  );
  if (isRefusal(request)) throw new Error(request.message);
  return request;
}

beforeEach(() => {
  vi.spyOn(JSON, 'parse');
});

afterEach(() => {
  vi.restoreAllMocks();
});

afterAll(() => {
  ticker.stop();
});

/** The bodies that attempts send, one for each channel. */
function written(request: ParsedRequest, channels: readonly ChannelEntry[]): object[] {
  const offer = offerOf(channels);
  const routes = servedRoutes(offer, endpoint);
  const bodies = new UpstreamBodies({ request, offer, bodyBuffers: new BodyBuffers(ticker) });
  expect(bodies.refuse(routes)).toBeUndefined();
  const sent = routes.map((route) => bodies.write(route, TERMS));
  expect(JSON.parse).toHaveBeenCalledTimes(1);
  return sent.map((encoded) => {
    if (isRefusal(encoded)) throw new Error(encoded.message);
    return JSON.parse(encoded.body.toString()) as object;
  });
}

it('a translated body is parsed once, by its check, for all attempts', () => {
  expect(written(parse(), [channel('one'), channel('two'), channel('three')])).toMatchObject([
    { model: 'model-at-one', messages: [{ role: 'user', content: 'Hi' }] },
    { model: 'model-at-two', messages: [{ role: 'user', content: 'Hi' }] },
    { model: 'model-at-three', messages: [{ role: 'user', content: 'Hi' }] },
  ]);
});

it('a body that was written before the hold is not sent with another limit', () => {
  const offer = offerOf([channel('one')]);
  const routes = servedRoutes(offer, endpoint);
  const request = parse();
  const bodies = new UpstreamBodies({ request, offer, bodyBuffers: new BodyBuffers(ticker) });
  expect(bodies.refuse(routes)).toBeUndefined();
  const [route] = routes;
  if (route === undefined) throw new Error('nothing serves the model');
  const encoded = bodies.write(route, { ...TERMS, outputTokensCap: 5 });
  expect(isRefusal(encoded) ? encoded.message : encoded.body.toString()).toContain(
    '"max_tokens":5',
  );
});

it.each([
  ['translated', {}, channel('one')],
  ['translated without unknown fields', { unknown: 1 }, channel('one')],
  ['passed on', {}, channel('one', { kind: 'anthropic', protocols: null })],
])('a body that is %s is not kept parsed for the length of its stream', (_what, fields, one) => {
  const offer = offerOf([one]);
  const request = parse(fields);
  const bodies = new UpstreamBodies({ request, offer, bodyBuffers: new BodyBuffers(ticker) });
  expect(bodies.refuse(servedRoutes(offer, endpoint))).toBeUndefined();
  expect(request.parsed?.take()).toBeUndefined();
});
