/** The servers that the upstreams of the matrix are at, all with one way to say what they send. */
import { AWS_ERRORS, type AwsError } from '../../../../support/upstreams/fake-aws/aws-error.ts';
import { startFakeAws, type AwsReply } from '../../../../support/upstreams/fake-aws/fake-aws.ts';
import { eventFrame } from '../../../../support/upstreams/fake-aws/frames.ts';
import type { Message } from '../../../../support/upstreams/fake-aws/message-events.ts';
import { ACCESS_KEY } from '../../../../support/upstreams/fake-aws/verify-request.ts';
import type { FakeGemini } from '../../../../support/upstreams/fake-gemini.ts';
import { startFakeGoogle } from '../../../../support/upstreams/fake-google/fake-google.ts';
import type { CellUpstream } from './cell-upstreams.ts';

type Json = Record<string, unknown>;

/** A whole reply, or the events of a stream, which may break off or stay open. */
export interface CellReply {
  readonly json?: unknown;
  readonly events?: readonly string[];
  readonly cut?: boolean;
  readonly stays?: boolean;
}

export interface CellServer {
  readonly url: string;
  /** The credential of its channels; undefined: any. */
  readonly credential?: string;
  /** The reply to requests from here on. */
  reply: CellReply | ((request: { readonly body: Json }) => CellReply);
  lastBody(): Json;
  /** Replies whose connection is open. */
  readonly underWay: number;
  close(): Promise<unknown>;
}

export type CellServers = Readonly<Record<CellUpstream['server'], CellServer>>;

/** @param vendor plays the vendors' own interfaces */
export async function startCellServers(vendor: FakeGemini): Promise<CellServers> {
  return { vendor: vendorServer(vendor), aws: await awsServer(), google: await googleServer() };
}

/** It takes requests of any protocol. */
function vendorServer(vendor: FakeGemini): CellServer {
  const server: CellServer = {
    url: vendor.url,
    reply: {},
    lastBody: () => vendor.calls.at(-1)?.body ?? {},
    get underWay() {
      return vendor.underWay;
    },
    close: () => vendor.close(),
  };
  vendor.reply = (request) => replyOf(server, request);
  return server;
}

async function awsServer(): Promise<CellServer> {
  const aws = await startFakeAws();
  const server: CellServer = {
    url: aws.url,
    credential: ACCESS_KEY,
    reply: {},
    lastBody: () => ({ ...aws.requests.at(-1)?.body }),
    get underWay() {
      return aws.underWay;
    },
    close: () => aws.close(),
  };
  aws.reply = ({ path, body }) => {
    const reply = replyOf(server, { body: { ...body } });
    return path.includes('/converse') ? conversed(reply) : invoked(reply);
  };
  return server;
}

async function googleServer(): Promise<CellServer> {
  const google = await startFakeGoogle();
  const server: CellServer = {
    url: google.baseUrl(),
    // A thread without the main one mints nothing.
    credential: String(google.tokens.issue().body['access_token']),
    reply: {},
    lastBody: () => ({ ...google.requests.at(-1)?.body }),
    get underWay() {
      return google.underWay;
    },
    close: () => google.close(),
  };
  google.reply = ({ body }) => replyOf(server, { body: { ...body } });
  return server;
}

function replyOf({ reply }: CellServer, request: { readonly body: Json }): CellReply {
  return typeof reply === 'function' ? reply(request) : reply;
}

/** InvokeModel: the fake wraps the events of Messages. */
function invoked({ json, events = [], ...end }: CellReply): AwsReply {
  const sent = events.map(readEvent);
  return {
    ...ended(end, sent),
    ...(json !== undefined && { message: json as Message }),
    events: sent.filter(({ name }) => name !== 'exception').map(({ data }) => data),
  };
}

/** Converse: each event is a frame of its name. */
function conversed({ json = {}, events = [], ...end }: CellReply): AwsReply {
  const sent = events.map(readEvent);
  const frames = sent
    .filter(({ name }) => name !== 'exception')
    .map(({ name, data }) => eventFrame(name, data));
  return { ...ended(end, sent), conversed: { json: json as object, frames } };
}

const STREAM_ERROR: AwsError = { ...AWS_ERRORS.modelError, type: 'ModelStreamErrorException' };

function ended(
  { cut = false, stays = false }: Omit<CellReply, 'json' | 'events'>,
  sent: readonly WireEvent[],
): AwsReply {
  const isFailed = sent.at(-1)?.name === 'exception';
  return {
    isCut: cut,
    stays,
    ...(isFailed && { error: STREAM_ERROR, exceptionAfter: sent.length - 1 }),
  };
}

interface WireEvent {
  readonly name: string;
  readonly data: object;
}

function readEvent(event: string): WireEvent {
  const [, name = ''] = /^event: (.*)$/m.exec(event) ?? [];
  const [, data = '{}'] = /^data: (.*)$/m.exec(event) ?? [];
  return { name, data: JSON.parse(data) as object };
}
