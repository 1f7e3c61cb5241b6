import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Answer {
  readonly status: number;
  readonly json: object;
}

/** An upstream that embeds, and refuses what its vendor refuses, in the vendor's words. */
export interface EmbeddingVendor {
  /** The origin. */
  readonly url: string;
  /** Bodies that came, in their order. */
  readonly bodies: Record<string, unknown>[];
  /** Changes the next replies; undefined leaves them as they are. */
  change: ((reply: Record<string, unknown>) => object) | undefined;
  close(): Promise<void>;
}

/** Tokens that a vendor here counts for each text. */
export const TOKENS_PER_TEXT = 5;
const DIMENSIONS = 4;

/** The vector of a text: each number is another for another text, and exact in 32 bits. */
export function vectorFor(text: string, dimensions = DIMENSIONS): number[] {
  const numbers = [text.length / 64, (text.codePointAt(0) ?? 0) / 1_024, -0.5, 0.25];
  return numbers.slice(0, dimensions);
}

function refusedByOpenAi(message: string, param: string | null): Answer {
  const error = { message, type: 'invalid_request_error', param, code: null };
  return { status: 400, json: { error } };
}

const OPENAI_FIELDS = new Set(['model', 'input', 'encoding_format', 'dimensions', 'user']);

function openAi(path: string, body: Record<string, unknown>): Answer {
  if (path !== '/v1/embeddings') {
    const error = { message: `Invalid URL (POST ${path})`, type: 'invalid_request_error' };
    return { status: 404, json: { error } };
  }
  const unknown = Object.keys(body).find((name) => !OPENAI_FIELDS.has(name));
  if (unknown !== undefined) {
    return refusedByOpenAi(`Unrecognized request argument supplied: ${unknown}`, null);
  }
  const { input, dimensions, encoding_format: encoding } = body;
  const texts = (Array.isArray(input) ? input : [input]) as readonly unknown[];
  if (texts.length > 2_048) {
    return refusedByOpenAi("'$.input' is invalid: array too long.", 'input');
  }
  if (!texts.every((text) => typeof text === 'string' && text !== '')) {
    return refusedByOpenAi("'$.input' is invalid. Please check the API reference.", 'input');
  }
  const data = (texts as string[]).map((text, index) => {
    const vector = vectorFor(text, (dimensions as number | undefined) ?? DIMENSIONS);
    const base64 = Buffer.from(Float32Array.from(vector).buffer).toString('base64');
    return { object: 'embedding', index, embedding: encoding === 'base64' ? base64 : vector };
  });
  const tokens = texts.length * TOKENS_PER_TEXT;
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  return { status: 200, json: { object: 'list', data, model: 'upstream-embedder', usage } };
}

function refusedByGemini(message: string): Answer {
  return { status: 400, json: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } } };
}

const GEMINI_FIELDS = new Set(['model', 'content', 'taskType', 'title', 'outputDimensionality']);
const GEMINI_PATH = /^\/v1beta\/(models\/[\w.-]+):batchEmbedContents$/;

interface GeminiRequest {
  readonly model?: string;
  readonly content?: { readonly parts?: readonly { readonly text?: string }[] };
  readonly outputDimensionality?: number;
}

function gemini(path: string, body: Record<string, unknown>): Answer {
  const model = GEMINI_PATH.exec(path)?.[1];
  if (model === undefined) {
    const error = { code: 404, message: 'Requested entity was not found.', status: 'NOT_FOUND' };
    return { status: 404, json: { error } };
  }
  const requests = body['requests'] as readonly GeminiRequest[];
  const unknown = [
    ...Object.keys(body).filter((name) => name !== 'requests'),
    ...requests.flatMap((one) => Object.keys(one).filter((name) => !GEMINI_FIELDS.has(name))),
  ];
  if (unknown.length > 0) {
    return refusedByGemini(
      `Invalid JSON payload received. Unknown name "${unknown.join()}" at 'requests[0]': Cannot find field.`,
    );
  }
  if (requests.length > 100) {
    return refusedByGemini(
      '* BatchEmbedContentsRequest.requests: at most 100 requests can be in one batch',
    );
  }
  if (requests.some((one) => one.model !== model)) {
    return refusedByGemini(
      '* BatchEmbedContentsRequest.requests[0].model: model must match the batch request model',
    );
  }
  const texts = requests.map(({ content }) =>
    (content?.parts ?? []).map(({ text = '' }) => text).join(' '),
  );
  if (texts.includes('')) {
    return refusedByGemini('* EmbedContentRequest.content: contents is not specified');
  }
  const embeddings = texts.map((text, index) => ({
    values: vectorFor(text, requests[index]?.outputDimensionality),
  }));
  const promptTokenCount = texts.length * TOKENS_PER_TEXT;
  return { status: 200, json: { embeddings, usageMetadata: { promptTokenCount } } };
}

export function startOpenAiEmbeddings(): Promise<EmbeddingVendor> {
  return startVendor(openAi);
}

export function startGeminiEmbeddings(): Promise<EmbeddingVendor> {
  return startVendor(gemini);
}

async function startVendor(
  reply: (path: string, body: Record<string, unknown>) => Answer,
): Promise<EmbeddingVendor> {
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = JSON.parse(Buffer.concat(pieces).toString()) as Record<string, unknown>;
    vendor.bodies.push(body);
    const { status, json } = reply(request.url ?? '', body);
    const changed = status === 200 ? vendor.change?.(json as Record<string, unknown>) : undefined;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(changed ?? json));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const vendor: EmbeddingVendor = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    bodies: [],
    change: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
  return vendor;
}
