import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Json = Record<string, unknown>;

/** An upstream of images that refuses what OpenAI refuses, in its words. */
export interface ImageVendor {
  /** A channel's base URL. */
  readonly url: string;
  readonly bodies: Json[];
  /** The SHA-256 of each file that came in a form. */
  readonly digests: string[];
  /** Changes the next whole replies and completed events; undefined leaves them as they are. */
  change: ((reply: Json) => Json) | undefined;
  /** The base64 of each image. */
  image: string;
  /** The status of the next replies; 200 at first. */
  status: number;
  /** Ends the streams after so many partial images; Infinity at first. */
  breaksAfter: number;
  /** Breaks whole replies off in the middle. */
  halves: boolean;
  /** A stream says so many times that its image is completed; 1 at first. */
  completedEvents: number;
  close(): Promise<void>;
}

const FIELDS = new Set(
  `model prompt n size quality style response_format background output_format output_compression
   moderation stream partial_images user`.split(/\s+/),
);
const SIZES = ['auto', '1024x1024', '1536x1024', '1024x1536'];
const QUALITIES = ['auto', 'low', 'medium', 'high'];

/** Output tokens of an image by its quality; each partial image has 100 more. */
export const OUTPUT_TOKENS: Readonly<Record<string, number>> = {
  low: 408,
  medium: 1_584,
  high: 6_240,
};
export const PROMPT_TOKENS = 12;

/** A prompt with this word is refused, in OpenAI's words for images. */
export const BLOCKED_WORD = 'forbidden';
const BLOCKED = {
  code: 'moderation_blocked',
  message:
    'Your request was rejected by the safety system. If you believe this is an error, contact us at help.openai.com and include the request ID req_1. safety_violations=[violence].',
  type: 'image_generation_user_error',
  param: null,
};

const EDIT_FIELDS = new Set([
  ...[...FIELDS].filter((name) => name !== 'style'),
  ...['image', 'image[]', 'images', 'mask', 'input_fidelity'],
]);

/** Tokens of each image that is edited. */
export const EDITED_TOKENS = 323;

/** Returns the usage of the prompt where images are edited. */
function inputOf(body: Json): object {
  const edited = [body['image'], body['image[]'], body['images']].flat();
  const images = edited.filter((one) => one !== undefined).length * EDITED_TOKENS;
  return images === 0
    ? {}
    : {
        input_tokens: PROMPT_TOKENS + images,
        input_tokens_details: { text_tokens: PROMPT_TOKENS, image_tokens: images },
      };
}

/** Reads JSON, or a form with another reader than ours: files by their name, type and size. */
async function readBody(request: IncomingMessage, bytes: Buffer, digests: string[]): Promise<Json> {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/')) return JSON.parse(bytes.toString()) as Json;
  // oxlint-disable-next-line typescript/no-deprecated -- another reader than ours
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const read: Json = {};
  for (const [, value] of form) {
    if (typeof value === 'string') continue;
    digests.push(hash('sha256', Buffer.from(await value.arrayBuffer())));
  }
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name).map((value) => {
      return typeof value === 'string' ? value : `${value.name} ${value.type} ${value.size}`;
    });
    read[name] = values.length === 1 ? values[0] : values;
  }
  return read;
}

function fault(body: Json, fields: ReadonlySet<string>): object | undefined {
  const invalid = (param: string | null, message: string, code: string | null) => ({
    error: { message, type: 'invalid_request_error', param, code },
  });
  const unknown = Object.keys(body).find((name) => !fields.has(name));
  if (unknown !== undefined) {
    return invalid(unknown, `Unknown parameter: '${unknown}'.`, 'unknown_parameter');
  }
  const among = (param: string, values: readonly string[]) => {
    const value = body[param];
    if (value === undefined) return undefined;
    if (typeof value === 'string' && values.includes(value)) return undefined;
    const supported = values.map((one) => `'${one}'`).join(', ');
    const message = `Invalid value: ${JSON.stringify(value)}. Supported values are: ${supported}.`;
    return invalid(param, message, 'invalid_value');
  };
  if (body['response_format'] !== undefined && String(body['model']).startsWith('gpt-image')) {
    return invalid('response_format', "Unknown parameter: 'response_format'.", 'unknown_parameter');
  }
  return among('size', SIZES) ?? among('quality', QUALITIES);
}

/** Returns the words that a reply says of its images. */
function wordsOf({ size = 'auto', quality = 'auto' }: Json) {
  return {
    background: 'opaque',
    output_format: 'png',
    quality: quality === 'auto' ? 'medium' : quality,
    size: size === 'auto' ? '1024x1536' : size,
  };
}

function usageOf(images: number, quality: unknown, partial: number) {
  const output = images * ((OUTPUT_TOKENS[String(quality)] ?? 0) + partial * 100);
  return {
    input_tokens: PROMPT_TOKENS,
    input_tokens_details: { text_tokens: PROMPT_TOKENS, image_tokens: 0 },
    output_tokens: output,
    total_tokens: PROMPT_TOKENS + output,
  };
}

/** Starts an upstream that makes images. */
export async function startImageVendor(): Promise<ImageVendor> {
  const server = createServer((request, response) => {
    // A client that is killed while it sends is not answered.
    answer(request, response, vendor).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const vendor: ImageVendor = {
    url: `http://127.0.0.1:${port}/v1`,
    bodies: [],
    digests: [],
    change: undefined,
    image: 'aW1hZ2U=',
    status: 200,
    breaksAfter: Infinity,
    halves: false,
    completedEvents: 1,
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

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  vendor: ImageVendor,
): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const body = await readBody(request, Buffer.concat(pieces), vendor.digests);
  vendor.bodies.push(body);
  const send = (status: number, json: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(json));
  };
  if (vendor.status !== 200) {
    send(vendor.status, { error: { message: 'Try again.', type: 'server_error', code: null } });
    return;
  }
  if (request.url === '/v1/moderations') {
    const results = [{ flagged: false, categories: { violence: false }, category_scores: {} }];
    send(200, { id: 'modr-1', model: 'omni-moderation-2024-09-26', results });
    return;
  }
  if (String(body['prompt']).includes(BLOCKED_WORD)) {
    send(400, { error: BLOCKED });
    return;
  }
  const isEdit = request.url === '/v1/images/edits';
  if (request.url !== '/v1/images/generations' && !isEdit) {
    const message = `Invalid URL (POST ${request.url ?? ''})`;
    send(404, { error: { message, type: 'invalid_request_error', param: null, code: null } });
    return;
  }
  const wrong = fault(body, isEdit ? EDIT_FIELDS : FIELDS);
  if (wrong !== undefined) send(400, wrong);
  else if (String(body['stream']) === 'true') {
    stream(response, body, vendor, isEdit ? 'image_edit' : 'image_generation');
  } else {
    const n = Number(body['n'] ?? 1);
    const words = wordsOf(body);
    const data = Array.from({ length: n }, () => ({ b64_json: vendor.image }));
    const usage = { ...usageOf(n, words.quality, 0), ...inputOf(body) };
    const reply = change(vendor, { created: 1_790_000_000, ...words, data, usage });
    if (vendor.halves) {
      const text = JSON.stringify(reply);
      response.write(text.slice(0, text.length / 2), () => response.destroy());
    } else send(200, reply);
  }
}

function change({ change: changed }: ImageVendor, reply: Json): Json {
  return changed === undefined ? reply : changed(reply);
}

function stream(
  response: ServerResponse,
  body: Json,
  vendor: ImageVendor,
  kind: 'image_generation' | 'image_edit',
): void {
  const partial = Number(body['partial_images'] ?? 0);
  const words = wordsOf(body);
  const event = (type: string, more: Json): void => {
    const data = { type, b64_json: vendor.image, created_at: 1_790_000_000, ...words, ...more };
    response.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  for (let index = 0; index < partial; index += 1) {
    if (index === vendor.breaksAfter) {
      // Behind what was written, and before the reply is whole.
      response.socket?.end();
      return;
    }
    event(`${kind}.partial_image`, { partial_image_index: index });
  }
  const usage = usageOf(1, words.quality, partial);
  for (let index = 0; index < vendor.completedEvents; index += 1) {
    event(`${kind}.completed`, change(vendor, { usage: { ...usage, ...inputOf(body) } }));
  }
  response.end();
}
