/**
 * Amazon Bedrock on one port: the runtime with its three interfaces, and the list of inference
 * profiles. It verifies signatures and keys, refuses what Bedrock refuses, and replies with what
 * the test has set.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AwsError } from './aws-error.ts';
import { AWS_ERRORS, PROFILE_ARN } from './aws-error.ts';
import { isConverseModel, refuseConverse } from './converse-rules.ts';
import { exceptionFrame, wrappedEvent } from './frames.ts';
import { refuseBody } from './invoke-model-rules.ts';
import { eventsOf, type Message } from './message-events.ts';
import { SessionIssuer } from './sessions.ts';
import { refuseSender } from './verify-request.ts';

export interface AwsRequest {
  readonly path: string;
  /** The id in the path of InvokeModel. */
  readonly model: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
}

export interface AwsReply {
  readonly message?: Message;
  /** Events of a stream, instead of those of the message. */
  readonly events?: readonly object[];
  /** Instead of a message, where Converse is spoken: the whole reply, and a stream's frames. */
  readonly conversed?: { readonly json: object; readonly frames: readonly Buffer[] };
  /** The tier that served the request, as a header of the reply says it. */
  readonly tier?: string;
  /** The stream does not end: its client has to leave. */
  readonly stays?: boolean;
  /** Instead of a message, or of the stream's frames from `exceptionAfter` on. */
  readonly error?: AwsError;
  /** Events of the stream that come before the error. */
  readonly exceptionAfter?: number;
  /** The connection breaks after so many bytes of the stream. */
  readonly cutAt?: number;
  /** The connection breaks behind the events. */
  readonly isCut?: boolean;
}

export interface FakeAws {
  /** The base address of a channel. */
  readonly url: string;
  readonly sessions: SessionIssuer;
  /** For `AWS_CONTAINER_CREDENTIALS_FULL_URI`. */
  readonly credentialsUrl: string;
  /** Those that were not refused. */
  readonly requests: AwsRequest[];
  reply: (request: AwsRequest) => AwsReply;
  /** Replies whose connection is open. */
  readonly underWay: number;
  close(): Promise<void>;
}

/** Ids that Bedrock has, as inference profiles; without a prefix they are refused. */
const MODELS = ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'global.anthropic.claude-opus-5-5'];
const RUNTIME_PATH =
  /^\/model\/([^/]+)\/(invoke|invoke-with-response-stream|converse|converse-stream)$/;
const TIER_HEADER = 'x-amzn-bedrock-service-tier';
const TIERS = ['priority', 'default', 'flex', 'reserved'];
const CREDENTIALS_PATH = '/credentials';
const REQUEST_ID = '8f5f6c36-0d4b-4a5e-9b40-3c2c6a0c1d2e';

export async function startFakeAws(): Promise<FakeAws> {
  let underWay = 0;
  const server = createServer((request, response) => {
    underWay += 1;
    response.once('close', () => {
      underWay -= 1;
    });
    void answer(request, response, aws);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const aws: FakeAws = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    sessions: new SessionIssuer(),
    get credentialsUrl() {
      return this.url + CREDENTIALS_PATH;
    },
    requests: [],
    reply: () => ({ error: AWS_ERRORS.internal }),
    get underWay() {
      return underWay;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return aws;
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  aws: FakeAws,
): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  const body = Buffer.concat(pieces);
  const { method = '', url = '', headers } = incoming;
  if (url === CREDENTIALS_PATH) {
    sendJson(response, 200, aws.sessions.issue());
    return;
  }
  const sender = { method, url, headers, body };
  const refusal = await refuseSender(sender, ['bedrock', 'bedrock-mantle'], aws.sessions);
  if (refusal !== undefined) {
    sendError(response, refusal);
    return;
  }
  if (method === 'GET') {
    listProfiles(url, response);
    return;
  }
  const [path = ''] = url.split('?');
  const parsed = JSON.parse(body.toString()) as AwsRequest['body'];
  const invoked = RUNTIME_PATH.exec(path);
  const [, id = '', operation = ''] = invoked ?? [];
  const model = decodeURIComponent(id) || String(parsed['model']);
  const request = { path, model, headers, body: parsed };
  const fault =
    refuseModel(model) ?? refuseTier(headers) ?? refuseRuntime(operation, model, parsed);
  if (fault !== undefined) {
    sendError(response, fault);
    return;
  }
  aws.requests.push(request);
  const reply = aws.reply(request);
  if (operation.endsWith('-stream')) sendFrames(response, reply);
  else if (invoked === null) sendMessages(response, request, reply);
  else if (reply.error !== undefined) sendError(response, reply.error);
  else sendJson(response, 200, reply.conversed?.json ?? reply.message ?? {}, tierOf(reply));
}

/** As InvokeModel's reference has the header. */
function refuseTier({ [TIER_HEADER]: tier }: IncomingMessage['headers']): AwsError | undefined {
  if (tier === undefined || TIERS.includes(String(tier))) return undefined;
  const message = `1 validation error detected: Value '${String(tier)}' at 'serviceTier' failed to satisfy constraint: Member must satisfy enum value set: [${TIERS.join(', ')}]`;
  return { status: 400, type: 'ValidationException', message };
}

function tierOf({ tier }: AwsReply): object {
  return tier === undefined ? {} : { [TIER_HEADER]: tier };
}

function refuseRuntime(
  operation: string,
  model: string,
  body: AwsRequest['body'],
): AwsError | undefined {
  if (operation.startsWith('invoke')) return refuseBody(body);
  return operation === '' ? undefined : refuseConverse(model, body, operation);
}

function refuseModel(model: string): AwsError | undefined {
  if (MODELS.includes(model) || model === PROFILE_ARN || model.startsWith('us.openai.')) {
    return undefined;
  }
  if (isConverseModel(model)) return undefined;
  const isBare = MODELS.some((id) => id.endsWith(`.${model}`));
  return isBare ? AWS_ERRORS.onDemand : AWS_ERRORS.noSuchModel;
}

function listProfiles(url: string, response: ServerResponse): void {
  const at = new URL(url, 'http://aws');
  if (at.pathname !== '/inference-profiles' || at.searchParams.get('type') !== 'SYSTEM_DEFINED') {
    sendError(response, { status: 404, type: 'UnknownOperationException', message: '' });
    return;
  }
  sendJson(response, 200, {
    inferenceProfileSummaries: MODELS.map((id) => ({
      inferenceProfileId: id,
      inferenceProfileName: id,
      inferenceProfileArn: `arn:aws:bedrock:us-east-1:123456789012:inference-profile/${id}`,
      models: [],
      status: 'ACTIVE',
      type: 'SYSTEM_DEFINED',
    })),
  });
}

function sendJson(response: ServerResponse, status: number, json: object, headers = {}): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-amzn-requestid': REQUEST_ID,
    ...headers,
  });
  response.end(JSON.stringify(json));
}

function sendError(response: ServerResponse, { status, type, message }: AwsError): void {
  sendJson(
    response,
    status,
    { message },
    {
      'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/com.amazon.bedrock/`,
    },
  );
}

function sendFrames(response: ServerResponse, reply: AwsReply): void {
  const { error, exceptionAfter, message, cutAt, isCut = false, stays = false } = reply;
  const { events = message === undefined ? [] : eventsOf(message) } = reply;
  if (error !== undefined && exceptionAfter === undefined) {
    sendError(response, error);
    return;
  }
  const frames = reply.conversed?.frames ?? events.map(wrappedEvent);
  const sent = [...(error === undefined ? frames : frames.slice(0, exceptionAfter))];
  if (error !== undefined) {
    const { type } = error;
    sent.push(exceptionFrame(`${type.charAt(0).toLowerCase()}${type.slice(1)}`, error.message));
  }
  response.writeHead(200, {
    'content-type': 'application/vnd.amazon.eventstream',
    'x-amzn-bedrock-content-type': 'application/json',
    'x-amzn-requestid': REQUEST_ID,
    ...tierOf(reply),
  });
  const bytes = Buffer.concat(sent);
  if (cutAt === undefined && !isCut) {
    response.write(bytes);
    if (!stays) response.end();
    return;
  }
  response.write(bytes.subarray(0, cutAt), () => response.socket?.end());
}

/** The interface of Anthropic's own paths. */
function sendMessages(
  response: ServerResponse,
  { path, body, headers }: AwsRequest,
  { message, error }: AwsReply,
): void {
  const isServed = path === '/anthropic/v1/messages' && headers['anthropic-version'] !== undefined;
  if (!isServed || error !== undefined || message === undefined) {
    const { status, message: words } = error ?? AWS_ERRORS.notFound;
    const type = status === 429 ? 'rate_limit_error' : 'invalid_request_error';
    sendJson(response, status, { type: 'error', error: { type, message: words } });
    return;
  }
  if (body['stream'] !== true) {
    sendJson(response, 200, message);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of eventsOf(message) as { type: string }[]) {
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}
