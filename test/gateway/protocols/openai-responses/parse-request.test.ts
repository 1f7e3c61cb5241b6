import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import {
  parseRequest,
  type ResponsesRequest,
} from '../../../../gateway/protocols/openai-responses/from-client/parse-request.ts';
import { WITHHELD_FIELDS } from '../../../../gateway/protocols/openai-family/withheld-fields.ts';
import { encodeRequest } from '../../../../gateway/protocols/openai-responses/to-upstream/encode-request.ts';
import { openaiResponses } from '../../../../gateway/protocols/openai-responses/protocol.ts';
import { renderError } from '../../../../gateway/protocols/openai-responses/to-client/render-error.ts';
import { REQUEST_LIMITS, type Target } from '../../../../gateway/protocols/protocol.ts';
import { clientRecordings } from '../../../support/clients/client-recordings.ts';
import { TARGET } from './support.ts';

const [endpoint] = openaiResponses.endpoints;
if (endpoint === undefined) throw new Error('no endpoint');
const HEAD = { endpoint, pathModel: null, query: '', headers: {} };

function parse(body: unknown, headers: Record<string, string> = {}) {
  return parseRequest(Buffer.from(JSON.stringify(body)), { ...HEAD, headers }, REQUEST_LIMITS);
}

function parsed(body: unknown, headers: Record<string, string> = {}): ResponsesRequest {
  const request = parse(body, headers);
  if (isRefusal(request)) throw new Error(request.message);
  return request;
}

function encoded(body: unknown, change: Partial<Target> = {}): Record<string, unknown> {
  const request = parsed(body);
  const target = { ...TARGET, upstreamModel: request.model, ...change };
  return JSON.parse(encodeRequest(request, target).body.toString()) as Record<string, unknown>;
}

function refused(body: unknown) {
  const request = parse(body);
  if (!isRefusal(request)) throw new Error('it was not refused');
  const { status, bytes, shouldRetry } = renderError(request);
  const { error } = JSON.parse(bytes.toString()) as { error: Record<string, unknown> };
  return { status, shouldRetry, ...error };
}

const ASK = { model: 'm', input: 'hi' };
const FUNCTION = { type: 'function', name: 'f', parameters: { type: 'object', properties: {} } };
const SEARCH = { type: 'web_search' };

/** The AI SDK refers to items that it believes to be stored. */
const REFERRING = 'sdk-aisdk/02';
const RECORDED = clientRecordings('/v1/responses');
const HOSTED = ['web_search', 'image_generation'];

describe.each(RECORDED.filter(({ name }) => name !== REFERRING))(
  'a request of $name',
  ({ body, headers }) => {
    it('is accepted, and its session is kept', () => {
      const request = parsed(body, headers);
      expect(request.model).toBe(body['model']);
      expect(request.stream).toBe(body['stream'] === true);
      const session = body['prompt_cache_key'] ?? headers['session-id'] ?? null;
      expect(request.conversation).toBe(session);
      expect(request.meters).toEqual([]);
      expect(request.promptTokensBound).toBeGreaterThan(0);
    });

    it('goes to an upstream with nothing changed but tools that cost a fee', () => {
      const { tools, ...others } = encoded(body);
      const { tools: asked, ...expected } = body;
      expect(others).toEqual(expected);
      const free = (asked as { type: string }[] | undefined)?.filter(
        ({ type }) => !HOSTED.includes(type),
      );
      expect(tools).toEqual(free);
    });
  },
);

it.each([...WITHHELD_FIELDS])('what %s makes an upstream charge is not asked for', (field) => {
  const body = { ...ASK, [field]: ['x'] };
  expect(parsed(body).withheldFields).toEqual([field]);
  expect(encoded(body)).toEqual(ASK);
});

describe('a request that needs something stored', () => {
  it.each([
    ['prompt', { id: 'pmpt_1' }, 'unsupported_parameter'],
    ['background', true, 'unsupported_parameter'],
  ])('by %s is refused with the code of the vendor and what to send', (field, value, code) => {
    const error = refused({ ...ASK, [field]: value });
    expect(error).toMatchObject({ status: 400, code, param: field, shouldRetry: false });
    expect(error).toMatchObject({ message: expect.stringMatching(/Send/) as string });
  });

  it('by a reply before it has a prompt of any length, and goes on at the upstream by its own id', () => {
    const continued = { model: 'm', previous_response_id: 'resp_1' };
    expect(parsed(continued)).toMatchObject({
      refersTo: [{ kind: 'reply', clientId: 'resp_1', param: 'previous_response_id' }],
      storesReply: true,
      promptTokensBound: Infinity,
      hasUnboundedParts: true,
    });
    const sent = encoded(
      { ...ASK, ...continued },
      {
        stored: { reply: 'resp_upstream', items: new Set() },
      },
    );
    expect(sent).toEqual({ ...ASK, previous_response_id: 'resp_upstream' });
    expect(refused({ ...ASK, previous_response_id: 7 })).toMatchObject({ status: 400 });
    expect(refused({ ...ASK, store: 'no' })).toMatchObject({ status: 400, param: 'store' });
  });

  it('by a reply before it is not counted, as only the upstream could', () => {
    const body = Buffer.from(JSON.stringify({ ...ASK, previous_response_id: 'resp_1' }));
    const counter = openaiResponses.endpoints.find(({ operation }) => operation === 'count');
    if (counter === undefined) throw new Error('no counter');
    const head = { ...HEAD, endpoint: counter, headers: {} };
    expect(parseRequest(body, head, REQUEST_LIMITS)).toMatchObject({
      refused: 'invalid_value',
      param: 'previous_response_id',
    });
  });

  it('by a reference to an item or a file is refused', () => {
    const reference = { ...ASK, input: [{ type: 'item_reference', id: 'rs_1' }] };
    expect(refused(reference)).toMatchObject({ status: 400, param: 'input[0]' });
    const content = [{ type: 'input_image', file_id: 'file_1' }];
    expect(refused({ ...ASK, input: [{ role: 'user', content }] })).toMatchObject({
      status: 400,
      code: 'unsupported_parameter',
      param: 'input[0].content[0].file_id',
    });
  });

  it('of the AI SDK is told the setting that makes it send the items', () => {
    const { body } = RECORDED.find(({ name }) => name === REFERRING) ?? {};
    const error = refused(body);
    expect(error).toMatchObject({
      status: 400,
      message: expect.stringContaining('"store": false') as string,
    });
  });

  it('by fields that are null or false is none', () => {
    parsed({ ...ASK, previous_response_id: null, conversation: null, background: false });
  });
});

describe('tools that an upstream runs at a fee', () => {
  it('are left out where the model need not use them', () => {
    expect(encoded({ ...ASK, tools: [FUNCTION, SEARCH] })['tools']).toEqual([FUNCTION]);
    const alone = encoded({ ...ASK, tools: [SEARCH], tool_choice: 'auto' });
    expect(alone).toEqual(ASK);
  });

  it('are sent where the model has a price for them', () => {
    const body = { ...ASK, tools: [FUNCTION, SEARCH] };
    expect(encoded(body, { pricedMeters: ['webSearch'] })).toEqual(body);
  });

  it('make the request need a price where the model must use them', () => {
    const forced = { ...ASK, tools: [FUNCTION, SEARCH], tool_choice: SEARCH };
    expect(parsed(forced).meters).toEqual(['webSearch']);
    expect(parsed({ ...ASK, tools: [SEARCH], tool_choice: 'required' }).meters).toEqual([
      'webSearch',
    ]);
  });

  it('are refused by name where no meter counts them and the model must use them', () => {
    const tools = [{ type: 'code_interpreter', container: { type: 'auto' } }];
    const error = refused({ ...ASK, tools, tool_choice: { type: 'code_interpreter' } });
    expect(error).toMatchObject({
      status: 400,
      param: 'tool_choice',
      message: expect.stringContaining('code_interpreter') as string,
    });
  });

  it('leave an allowed_tools choice, too', () => {
    const choice = {
      type: 'allowed_tools',
      mode: 'auto',
      tools: [SEARCH, { type: 'function', name: 'f' }],
    };
    const sent = encoded({ ...ASK, tools: [FUNCTION, SEARCH], tool_choice: choice });
    expect(sent['tool_choice']).toEqual({ ...choice, tools: [{ type: 'function', name: 'f' }] });
  });
});

describe('a request for an upstream', () => {
  it('has the name of the model there, the limit that can be paid for, and no tier', () => {
    const sent = encoded(
      { ...ASK, service_tier: 'priority', max_output_tokens: 900, store: false },
      { upstreamModel: 'deployment', outputTokensCap: 500 },
    );
    expect(sent).toEqual({ ...ASK, model: 'deployment', max_output_tokens: 500, store: false });
  });

  it('leaves in the very bytes it came in when nothing differs', () => {
    const request = parsed(ASK);
    const { body } = encodeRequest(request, { ...TARGET, upstreamModel: 'm' });
    expect(body).toBe(request.bytes);
  });
});

describe('a request that is none', () => {
  it.each([
    [{ model: 'm' }, 'input', /"input" is missing/],
    [{ model: 'm', messages: [] }, 'input', /chat completions/],
    [{ input: 'x' }, 'model', /"model" is missing/],
    [{ ...ASK, input: [{ content: 'x' }] }, 'input[0].role', /neither a type nor a role/],
    [{ ...ASK, max_output_tokens: 0 }, 'max_output_tokens', /at least 1/],
    [{ ...ASK, Max_Output_Tokens: 9 }, 'max_output_tokens', /lower-case/],
    [{ ...ASK, tools: {} }, 'tools', /an array/],
  ])('%j is refused', (body, param, message) => {
    expect(refused(body)).toMatchObject({
      status: 400,
      param,
      message: expect.stringMatching(message) as string,
    });
  });
});

describe('errors', () => {
  it.each([
    ['insufficient_balance', 429, 'insufficient_quota'],
    ['key_budget_exceeded', 429, 'insufficient_quota'],
    ['model_not_allowed', 404, 'model_not_allowed'],
    ['account_suspended', 400, 'account_suspended'],
    ['ip_not_allowed', 400, 'ip_not_allowed'],
    ['model_not_found', 404, 'model_not_found'],
    ['context_length_exceeded', 400, 'context_length_exceeded'],
  ] as const)('%s are final for Codex: %i %s', (refusedAs, status, code) => {
    const rendered = renderError({
      refused: refusedAs,
      message: 'why',
      param: null,
      retryAfterMs: null,
    });
    expect(rendered).toMatchObject({ status, shouldRetry: false });
    expect(JSON.parse(rendered.bytes.toString())).toMatchObject({
      error: { code, message: 'why' },
    });
  });
});
