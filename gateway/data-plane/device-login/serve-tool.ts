import { refuse, type Refusal } from '../../platform/errors/refusal.ts';
import type { ToolEndpoint } from '../../protocols/endpoint.ts';
import type { RequestHead } from '../../protocols/protocol.ts';
import type { ServedEndpoint } from '../../protocols/registry.ts';
import type { ToolReplies } from '../../protocols/tool-replies.ts';
import { refuseStatus } from '../admission/refuse-hold.ts';
import type { Outcome } from '../attempt-outcome.ts';
import type { Principal } from '../authentication/principal.ts';
import { IF_NONE_MATCH } from '../intake/request-head.ts';
import { replyHeaders } from '../reply/reply-refusal.ts';
import type { ActiveRequest } from '../request-path.ts';

interface ToolRequest {
  readonly endpoint: ServedEndpoint<ToolEndpoint>;
  readonly principal: Principal;
  readonly head: Pick<RequestHead, 'headers'>;
}

type Reply = Pick<Outcome, 'send'> | Refusal;

/**
 * Answers what a tool asks about its key and account. Of telemetry nothing is kept: its body is
 * dropped as it arrives.
 */
export async function serveTool(request: ToolRequest, passage: ActiveRequest): Promise<Reply> {
  const { endpoint, principal } = request;
  const refused = refuseStatus(principal.payer(passage.context.state.catalog));
  if (refused !== undefined) return refused;
  const replies = endpoint.protocol.toolReplies;
  if (replies === undefined) throw new Error(`${endpoint.protocol.id} has no replies for tools`);
  switch (endpoint.serves) {
    case 'telemetry':
      return send(passage, '{}');
    case 'settings':
      return serveSettings(replies, request, passage);
    case 'spend': {
      const spend = await passage.context.workers.readKeySpend(principal.keyId);
      if ('refused' in spend) return spend;
      return send(passage, JSON.stringify(replies.renderSpend(spend)));
    }
  }
}

async function serveSettings(
  replies: ToolReplies,
  { principal, head }: ToolRequest,
  passage: ActiveRequest,
): Promise<Reply> {
  const settings = await passage.context.workers.readManagedSettings(principal.accountId);
  if (settings === null) {
    return refuse('not_found', 'The account of this key sets nothing for its tools.');
  }
  if ('refused' in settings) return settings;
  const etag = `"${settings.checksum}"`;
  if (!matches(head.headers[IF_NONE_MATCH] ?? '', etag)) {
    return send(passage, replies.renderSettings(settings), [['etag', etag]]);
  }
  const { exchange, trace, dialect } = passage;
  return {
    send: () => {
      trace.httpStatus = 304;
      exchange.replyWithoutBody(304, [...replyHeaders(trace.requestId, dialect), ['etag', etag]]);
    },
  };
}

/** `*` asks whether there are settings at all, and is answered with them. */
function matches(ifNoneMatch: string, etag: string): boolean {
  // A proxy that compresses weakens the ETag.
  return ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === etag);
}

function send(
  { exchange, trace, dialect }: ActiveRequest,
  body: string,
  headers: readonly (readonly [string, string])[] = [],
): Reply {
  return {
    send: () => {
      trace.httpStatus = 200;
      exchange.reply(
        200,
        [...replyHeaders(trace.requestId, dialect), ['cache-control', 'no-store'], ...headers],
        body,
      );
    },
  };
}
