import type { ServerResponse } from 'node:http';

/** The upstream's behaviour for an adversary's requests. It serves all others. */
export interface Attack {
  readonly name: string;
  play(response: ServerResponse): void;
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const SSE_HEADERS = { 'content-type': 'text/event-stream' };

function error(message: string, fields: object = {}): object {
  return { error: { message, type: 'invalid_request_error', param: null, code: null, ...fields } };
}

/** Statuses alone, and each with a wait that vendors ask for. */
const STATUSES: readonly number[] = [
  400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 415, 418, 421, 422, 423,
  424, 425, 426, 428, 429, 431, 451, 498, 499, 500, 501, 502, 503, 504, 505, 507, 508, 511, 520,
  522, 524, 529, 530, 598,
];

/** Words of vendors and gateways, under the statuses that they send them with. */
const WORDS: readonly (readonly [status: number, body: object | string])[] = [
  // OpenAI
  [
    404,
    error(
      'This is a chat model and not supported in the v1/completions endpoint. Did you mean to use v1/chat/completions?',
      { param: 'model' },
    ),
  ],
  [
    404,
    error('This model is only supported in v1/responses and not in v1/chat/completions.', {
      param: 'model',
    }),
  ],
  [403, error('You are not allowed to generate embeddings from this model')],
  [
    404,
    error('The model `m` does not exist or you do not have access to it.', {
      code: 'model_not_found',
    }),
  ],
  [401, error('Incorrect API key provided.', { code: 'invalid_api_key' })],
  [
    429,
    error('You exceeded your current quota', {
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    }),
  ],
  [429, error('Rate limit reached for m', { type: 'tokens', code: 'rate_limit_exceeded' })],
  [500, error('The server had an error while processing your request.', { type: 'server_error' })],
  // llama.cpp
  [
    500,
    {
      error: {
        code: 500,
        type: 'server_error',
        message:
          'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
      },
    },
  ],
  [
    500,
    {
      error: {
        code: 500,
        type: 'server_error',
        message:
          'input (900 tokens) is too large to process. increase the physical batch size (current batch size: 512)',
      },
    },
  ],
  [
    500,
    {
      error: {
        code: 500,
        type: 'server_error',
        message: 'Failed to parse tools: [json.exception.out_of_range.403] key not found',
      },
    },
  ],
  [
    501,
    {
      error: {
        code: 501,
        type: 'not_supported_error',
        message: 'This server does not support embeddings. Start it with `--embeddings`',
      },
    },
  ],
  // Gateways as upstreams
  [500, error('litellm.InternalServerError: OpenAIException - boom', { type: null, code: '500' })],
  [
    429,
    error('No deployments available for selected model, Try again in 60 seconds.', {
      type: 'None',
      code: '429',
    }),
  ],
  [
    503,
    error('当前分组 default 下对于模型 m 无可用渠道', {
      type: 'new_api_error',
      code: 'model_not_found',
    }),
  ],
  [
    403,
    error('Insufficient user quota', { type: 'new_api_error', code: 'insufficient_user_quota' }),
  ],
  [403, '<!doctype html><title>Attention Required! | Cloudflare</title>'],
  [404, '<html><head><title>404 Not Found</title></head></html>'],
  [502, '<html><h1>502 Bad Gateway</h1></html>'],
  [405, { detail: 'Method Not Allowed' }],
  [529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
  [
    400,
    [
      {
        error: {
          code: 400,
          status: 'INVALID_ARGUMENT',
          message: 'API key not valid. Please pass a valid API key.',
        },
      },
    ],
  ],
  // Under a 200
  [200, error('boom', { code: 500 })],
  [200, error('slow down', { code: 'rate_limit_exceeded' })],
  [200, error('no such key', { code: 'invalid_api_key' })],
  [200, error('gone', { code: 'model_not_found' })],
  [200, '<html>Welcome</html>'],
  [200, ''],
  [200, '{"choices":[{"mess'],
  [200, {}],
];

const WAITS: readonly (readonly [status: number, retryAfter: string])[] = [
  [429, '60'],
  [429, '86400'],
  [503, '600'],
  [529, '60'],
];

function reply(status: number, body: object | string, headers: Readonly<Record<string, string>>) {
  return (response: ServerResponse): void => {
    response.writeHead(status, { ...JSON_HEADERS, ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

const CHUNK = {
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta: { role: 'assistant', content: 'a' }, finish_reason: null }],
};

/** Ways to end badly without a status. */
const BREAKS: readonly Attack[] = [
  { name: 'reset before the head', play: (response) => response.socket?.resetAndDestroy() },
  {
    name: 'reset behind the head',
    play: (response) => {
      response.writeHead(200, JSON_HEADERS);
      response.write('{', () => response.socket?.resetAndDestroy());
    },
  },
  {
    name: 'stream broken midway',
    play: (response) => {
      response.writeHead(200, SSE_HEADERS);
      const event = `data: ${JSON.stringify(CHUNK)}\n\n`;
      response.write(event, () => response.socket?.resetAndDestroy());
    },
  },
  {
    name: 'error event first',
    play: (response) => {
      response.writeHead(200, SSE_HEADERS);
      response.end(`data: ${JSON.stringify(error('boom', { code: 500 }))}\n\n`);
    },
  },
  { name: 'nothing, for ever', play: () => undefined },
];

function wordsOf(body: object | string): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return text === '' ? 'nothing' : text.replace(/^.*?"message":"/, '').slice(0, 40);
}

export const ATTACKS: readonly Attack[] = [
  ...STATUSES.map((status) => ({ name: `${status}`, play: reply(status, '', {}) })),
  ...WAITS.map(([status, wait]) => ({
    name: `${status}, Retry-After ${wait}`,
    play: reply(status, error('wait'), { 'retry-after': wait }),
  })),
  ...WORDS.map(([status, body]) => ({
    name: `${status} ${wordsOf(body)}`,
    play: reply(status, body, {}),
  })),
  ...BREAKS,
];
