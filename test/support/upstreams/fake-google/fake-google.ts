/**
 * Google, as far as Weir meets it: a token endpoint that verifies assertions, a metadata server,
 * and Vertex AI, which refuses what the vendor refuses in the vendor's words.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  modelMissing,
  permissionDenied,
  platformError,
  refuseClaude,
  refuseEmbedding,
  refuseGemini,
  UNAUTHENTICATED,
  type GoogleRefusal,
} from './refusals.ts';
import { TokenIssuer } from './tokens.ts';

type Json = Readonly<Record<string, unknown>>;

export interface GoogleRequest {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The body as it came. */
  readonly text: string;
  readonly body: Json;
  readonly location: string;
  /** Such as `google`; `openapi` of the interface for partners' models. */
  readonly publisher: string;
  readonly model: string;
  readonly method: string;
}

/** A whole body, or the events of a stream, which may break off. */
export interface GoogleReply {
  readonly status?: number;
  readonly json?: unknown;
  readonly events?: readonly string[];
  readonly cut?: boolean;
  /** The connection stays open behind the last event. */
  readonly stays?: boolean;
}

export interface FakeGoogle {
  readonly origin: string;
  readonly tokens: TokenIssuer;
  /** A key file whose `token_uri` is here. */
  readonly keyFile: string;
  /** Returns the base address of a channel. */
  baseUrl(location?: string): string;
  /** Requests that have passed every check. */
  readonly requests: GoogleRequest[];
  /** The state of the token endpoint and the metadata server. */
  tokenEndpoint: 'up' | 'away' | 'held';
  /** Answers what was held. */
  release(): void;
  /** Replies to a request that passes every check. */
  reply: (request: GoogleRequest) => GoogleReply;
  /** Replies whose connection is open. */
  readonly underWay: number;
  close(): Promise<void>;
}

export const PROJECT = 'test-project-1';
const LOCATIONS = ['global', 'us-east5', 'europe-west1'];
const API_KEY = 'AIzaSyTest-key-of-express-mode-000000000';
const MODEL_PATH =
  /^\/v1\/(?:projects\/([^/]+)\/locations\/([^/]+)\/)?publishers\/([^/]+)\/models\/([^/:]+):(\w+)(?:\?alt=sse)?$/;
const OPENAPI_PATH =
  /^\/v1\/projects\/([^/]+)\/locations\/([^/]+)\/endpoints\/openapi\/chat\/completions$/;
const METHODS: Readonly<Record<string, readonly string[]>> = {
  google: ['generateContent', 'streamGenerateContent', 'countTokens', 'predict'],
  anthropic: ['rawPredict', 'streamRawPredict'],
};
const MODELS: Readonly<Record<string, RegExp>> = {
  google: /^(?:gemini-|text-(?:multilingual-)?embedding-)/,
  anthropic: /^(?:claude-(?:[a-z]+-\d(?:-\d)?|[a-z]+-\d-\d@\d{8})|count-tokens)$/,
};
const TOKEN_PATH = '/token';
const METADATA_PATH = '/computeMetadata/v1/instance/service-accounts/default/token';
const LIST_PATH = '/v1beta1/publishers/google/models';

/** Time for bytes that are written to leave before a reset discards them. */
const RESET_DELAY_MS = 20;

export async function startFakeGoogle(): Promise<FakeGoogle> {
  const tokens = new TokenIssuer();
  let underWay = 0;
  const held: (() => void)[] = [];
  const server = createServer((request, response) => {
    underWay += 1;
    response.once('close', () => {
      underWay -= 1;
    });
    void readBody(request).then((text) => serve(request, text, response));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const google: FakeGoogle = {
    origin,
    tokens,
    keyFile: tokens.keyFile(origin + TOKEN_PATH),
    baseUrl: (location = 'us-east5') => `${origin}/v1/projects/${PROJECT}/locations/${location}`,
    requests: [],
    tokenEndpoint: 'up',
    release: () => {
      google.tokenEndpoint = 'up';
      for (const answer of held.splice(0)) answer();
    },
    reply: () => ({ status: 500, json: {} }),
    get underWay() {
      return underWay;
    },
    close: async () => {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };

  function serve(request: IncomingMessage, text: string, response: ServerResponse): void {
    const path = request.url ?? '';
    const answer = (reply: GoogleReply): void => send(response, reply);
    if (path === TOKEN_PATH || path === METADATA_PATH) {
      if (google.tokenEndpoint === 'away') request.socket.destroy();
      else if (google.tokenEndpoint === 'up') answer(issued(request, text));
      else held.push(() => answer(issued(request, text)));
    } else answer(served(request, text));
  }

  function issued({ url, headers }: IncomingMessage, text: string): GoogleReply {
    if (url === METADATA_PATH) {
      if (headers['metadata-flavor'] !== 'Google') return { status: 403, json: {} };
      const { status, body } = tokens.issue();
      return { status, json: body };
    }
    if (headers['content-type'] !== 'application/x-www-form-urlencoded') {
      return { status: 400, json: { error: 'invalid_request' } };
    }
    const { status, body } = tokens.exchange(new URLSearchParams(text), origin + TOKEN_PATH);
    return { status, json: body };
  }

  function served(request: IncomingMessage, text: string): GoogleReply {
    const { url = '', headers } = request;
    if (url.startsWith(LIST_PATH)) {
      return refuseCredential(headers, true) ?? { json: { publisherModels: LISTED } };
    }
    const seen = parse(url, headers, text);
    if (seen === undefined) {
      return {
        status: 404,
        json: { error: { code: 404, message: 'Not Found', status: 'NOT_FOUND' } },
      };
    }
    const refusal = refuseCredential(headers, url.includes('/projects/')) ?? refusalOf(seen);
    if (refusal !== undefined) return refusal;
    google.requests.push(seen);
    return google.reply(seen);
  }

  function refuseCredential(
    headers: IncomingMessage['headers'],
    needsToken: boolean,
  ): GoogleReply | undefined {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    const isFine = needsToken
      ? token !== undefined && tokens.isValid(token)
      : headers['x-goog-api-key'] === API_KEY;
    return isFine ? undefined : refused(UNAUTHENTICATED);
  }

  return google;
}

/** For express mode. */
export const EXPRESS_KEY = API_KEY;

const LISTED = ['gemini-2.5-pro', 'gemini-3-pro'].map((name) => ({
  name: `publishers/google/models/${name}`,
  launchStage: 'GA',
}));

function refused({ status, body }: GoogleRefusal): GoogleReply {
  return { status, json: body };
}

function parse(
  path: string,
  headers: IncomingMessage['headers'],
  text: string,
): (GoogleRequest & { readonly project: string }) | undefined {
  const [, project = PROJECT, location = 'global', publisher, model = '', method = ''] =
    MODEL_PATH.exec(path) ?? OPENAPI_PATH.exec(path) ?? [];
  const isOpenapi = OPENAPI_PATH.test(path);
  if (publisher === undefined && !isOpenapi) return undefined;
  const body = JSON.parse(text === '' ? '{}' : text) as Json;
  const named = isOpenapi ? String(body['model']) : decodeURIComponent(model);
  return {
    ...{ path, headers, text, body, project, location, method },
    publisher: publisher ?? 'openapi',
    model: named,
  };
}

function refusalOf({
  project,
  location,
  publisher,
  model,
  method,
  body,
  headers,
}: GoogleRequest & { readonly project: string }): GoogleReply | undefined {
  const resource = `projects/${project}/locations/${location}/publishers/${publisher}/models/${model}`;
  if (project !== PROJECT) return refused(permissionDenied(resource));
  if (!LOCATIONS.includes(location)) {
    const message = `The location ${location} is not supported.`;
    return refused(platformError(400, 'FAILED_PRECONDITION', message));
  }
  if (publisher === 'openapi') {
    if (model.includes('/')) return undefined;
    const message = `Malformed publisher model ${model}. Expected: {publisher}/{model}.`;
    // The path for partners' models wraps its errors.
    const { status, body: wrapped } = platformError(400, 'INVALID_ARGUMENT', message);
    return { status, json: [wrapped] };
  }
  const isKnown = MODELS[publisher]?.test(model) === true;
  if (!isKnown || METHODS[publisher]?.includes(method) !== true) {
    return refused(modelMissing(resource));
  }
  const beta = String(headers['anthropic-beta'] ?? '');
  const isCount = model === 'count-tokens';
  const fault =
    method === 'predict'
      ? refuseEmbedding(body, model)
      : publisher === 'google'
        ? refuseGemini(body)
        : refuseClaude(body, { beta, isCount });
  if (fault !== undefined) return refused(fault);
  const isStream = method === 'streamRawPredict';
  if (publisher !== 'anthropic' || (body['stream'] === true) === isStream) return undefined;
  return refused(platformError(400, 'INVALID_ARGUMENT', 'The method does not fit "stream".'));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

function send(
  response: ServerResponse,
  { status = 200, json, events, cut, stays }: GoogleReply,
): void {
  if (events === undefined) {
    response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' });
    response.end(JSON.stringify(json));
    return;
  }
  response.writeHead(status, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  for (const event of events) response.write(event);
  if (cut === true) setTimeout(() => response.socket?.resetAndDestroy(), RESET_DELAY_MS);
  else if (stays !== true) response.end();
}
