import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOwnJsonObject } from '../../../../../gateway/platform/json/json-value.ts';
import {
  openPaths,
  PATHS,
  type Client,
  type PathCustomer,
  type Paths,
} from '../../relay/support/open-paths.ts';
import { eventsOf, vendorReply } from '../../relay/support/vendor-replies.ts';

/** As Bifrost, LiteLLM, OpenRouter, llama.cpp and LM Studio tell who has served a request. */
const TELLING = {
  extra_fields: {
    provider: 'secret-upstream',
    model_requested: 'secret-upstream/model',
    provider_response_headers: { 'x-request-id': 'secret-upstream' },
    chunk_index: 0,
  },
  _hidden_params: { api_base: 'https://secret-upstream.example/v1', model_id: 'x' },
  _response_ms: 12.5,
  provider: 'secret-upstream',
  __verbose: { model: '/models/secret-upstream.gguf' },
  model_info: { arch: 'secret-upstream' },
  'weird "näme"\u2028': 'secret-upstream',
  native_finish_reason: 'secret-upstream',
  cost: 0.25,
  cost_details: { upstream_inference_cost: 'secret-upstream' },
} as const;

/** Objects of which every level has known members alone. */
const CLOSED = new Set([
  ...['choices', 'message', 'delta', 'usage', 'prompt_tokens_details', 'response', 'output'],
  ...['item', 'content_block', 'candidates', 'parts', 'usageMetadata'],
]);

let paths: Paths;

beforeAll(async () => {
  paths = await openPaths();
});

afterAll(async () => {
  await paths.close();
});

/** A reply or event with what tells in each of its objects. */
function planted(value: object): object {
  const members = Object.entries(value).map(([name, inner]: [string, unknown]) => {
    if (!CLOSED.has(name)) return [name, inner];
    if (Array.isArray(inner)) return [name, inner.map((one: object) => planted(one))];
    return [name, isOwnJsonObject(inner) ? planted(inner) : inner];
  });
  return { ...(Object.fromEntries(members) as object), ...TELLING };
}

function plantedEvent(event: string): string {
  return event.replace(/^data: (\{.*)$/m, (_, json: string) => {
    return `data: ${JSON.stringify(planted(JSON.parse(json) as object))}`;
  });
}

async function ask(
  customer: PathCustomer,
  [client, upstream]: (typeof PATHS)[number],
  { stream, plants }: { readonly stream: boolean; readonly plants: boolean },
): Promise<string> {
  const reply = vendorReply(upstream);
  const events = eventsOf(reply).map((event) => (plants ? plantedEvent(event) : event));
  const whole = plants ? planted(reply.whole) : reply.whole;
  paths.upstream.reply = stream
    ? { contentType: 'text/event-stream', packets: events }
    : { contentType: 'application/json', packets: [JSON.stringify(whole)] };
  const response = await customer.ask(client, stream);
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
}

/** Without what is made for each reply. */
function compared(text: string): string {
  return text
    .replaceAll(/"(?:id|item_id|responseId)": ?"[^"]*"/g, '"id":""')
    .replaceAll(/"(?:created|created_at|completed_at)": ?[\d.]+/g, '"created":0');
}

const forms = (client: Client): boolean[] => (client === 'embeddings' ? [false] : [false, true]);

describe.each(PATHS)('a reply for %s over %s', (client, upstream) => {
  it('has nothing of who serves it, and all else as ever', async () => {
    const customer = await paths.newCustomer(upstream);
    for (const stream of forms(client)) {
      const plain = await ask(customer, [client, upstream], { stream, plants: false });
      const text = await ask(customer, [client, upstream], { stream, plants: true });
      expect(text).not.toMatch(/secret-upstream|upstream-name|extra_fields|_hidden_params|cost/);
      expect(jsonIn(compared(text))).toEqual(jsonIn(compared(plain)));
      expect((await customer.records()).map(({ cost }) => cost)).toHaveLength(2);
    }
  });
});

/** The objects in a reply or stream: white space between their members says nothing. */
function jsonIn(text: string): unknown[] {
  const events = text.startsWith('{') ? [text] : text.match(/(?<=^data: )\{.*$/gm);
  return (events ?? []).map((json): unknown => JSON.parse(json));
}

it.each(PATHS.filter(([client, upstream]) => client === upstream))(
  'a channel that passes all fields passes them in replies for %s over %s, but for prices',
  async (client, upstream) => {
    const customer = await paths.newCustomer(upstream, { fieldPolicy: 'all' });
    for (const stream of forms(client)) {
      const text = await ask(customer, [client, upstream], { stream, plants: true });
      expect(text).toContain('"model_requested":"secret-upstream/model"');
      expect(text).not.toContain('upstream-name');
    }
  },
);

it.each(PATHS)('an error for %s over %s has its words alone', async (client, upstream) => {
  const customer = await paths.newCustomer(upstream);
  const error = { message: 'The prompt is odd.', type: 'invalid_request_error', code: 400 };
  const body = JSON.stringify({ error: { ...error, ...TELLING }, type: 'error', ...TELLING });
  paths.upstream.reply = { status: 400, contentType: 'application/json', packets: [body] };
  for (const stream of forms(client)) {
    const response = await customer.ask(client, stream);
    const text = await response.text();
    expect(response.status).toBe(400);
    expect(text).toContain('The prompt is odd.');
    expect(text).not.toMatch(/secret-upstream|extra_fields/);
    expect(JSON.stringify([...response.headers])).not.toContain('secret-upstream');
  }
});
