import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  streamedReply,
  wholeReply,
} from '../../../../support/upstreams/strict-upstream/replies.ts';
import {
  isObject,
  type Json,
  type Spoken,
} from '../../../../support/upstreams/strict-upstream/rule.ts';

const PROTOCOLS: Readonly<Record<string, Spoken>> = {
  '/chat/completions': 'openai-chat',
  '/responses': 'openai-responses',
};

/** The names of tools that OpenAI takes. */
const TOOL_NAME = /^[\w-]{1,64}$/;
const VERIFY =
  'Please go to: https://platform.openai.com/settings/organization/general and click on Verify Organization.';

/** The name of the check that a fitted request passes. */
export const TOOL_NAMES = 'names of tools';

/** What OpenAI says of some fields to an organisation that is not verified, or of some models. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  stream: `Your organization must be verified to stream this model. ${VERIFY}`,
  'reasoning.summary': `Your organization must be verified to generate reasoning summaries. ${VERIFY}`,
  include: 'Encrypted content is not supported with this model.',
};

const WORDS: readonly ((field: string) => string)[] = [
  (field) => `Unsupported parameter: '${field}' is not supported with this model.`,
  (field) => `Unknown parameter: '${field}'.`,
  (field) => `property '${field}' is unsupported`,
  (field) => `json: unknown field "${field}"`,
];

/** An upstream of chat completions and Responses that checks its requests in a certain order. */
export interface AdviceRefuser {
  readonly url: string;
  /** The bodies that it has got. */
  readonly bodies: Json[];
  /** Paths of fields, and `TOOL_NAMES`: the first that a body fails is refused. */
  checks: readonly string[];
  close(): Promise<void>;
}

/** Whether a body has a field at a path such as `tools.function.strict`, through lists. */
export function hasField(body: unknown, path: string): boolean {
  if (Array.isArray(body)) return body.some((one) => hasField(one, path));
  if (!isObject(body)) return false;
  const [first = '', ...rest] = path.split('.');
  if (!(first in body)) return false;
  // What is false asks for nothing.
  if (rest.length === 0) return path !== 'stream' || body[first] === true;
  return hasField(body[first], rest.join('.'));
}

function namesOf({ tools }: Json): readonly string[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => {
    if (!isObject(tool)) return [];
    const own = isObject(tool['function']) ? tool['function'] : tool;
    return typeof own['name'] === 'string' ? [own['name']] : [];
  });
}

function refusalOf(body: Json, checks: readonly string[]): Json | undefined {
  for (const [index, check] of checks.entries()) {
    if (check === TOOL_NAMES) {
      if (namesOf(body).every((name) => TOOL_NAME.test(name))) continue;
      const param = 'tools[0].name';
      return errorOf(`Invalid '${param}': string does not match pattern.`, param);
    }
    if (!hasField(body, check)) continue;
    const words = WORDS[index % WORDS.length]?.(check) ?? '';
    return errorOf(OWN_WORDS[check] ?? words, check);
  }
  return undefined;
}

function errorOf(message: string, param: string): Json {
  return {
    error: { message, type: 'invalid_request_error', param, code: 'unsupported_value' },
  };
}

export async function startAdviceRefuser(): Promise<AdviceRefuser> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(pieces).toString()) as Json;
      refuser.bodies.push(body);
      const refused = refusalOf(body, refuser.checks);
      const protocol = PROTOCOLS[request.url?.replace('/v1', '') ?? ''] ?? 'openai-chat';
      const turn = { pieces: ['It is done.'] };
      const isStream = refused === undefined && body['stream'] === true;
      response.writeHead(refused === undefined ? 200 : 400, {
        'content-type': isStream ? 'text/event-stream' : 'application/json',
      });
      if (isStream) response.end(streamedReply(protocol, turn).join(''));
      else response.end(JSON.stringify(refused ?? wholeReply(protocol, turn)));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const refuser: AdviceRefuser = {
    url: `http://127.0.0.1:${String(port)}/v1`,
    bodies: [],
    checks: [],
    close: () =>
      new Promise((done) => {
        server.close(() => {
          done();
        });
        server.closeAllConnections();
      }),
  };
  return refuser;
}
