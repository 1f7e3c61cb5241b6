import type { ModelEntry } from '../catalog/snapshot.ts';
import { refuseModel } from '../catalog/refuse-model.ts';
import { refuseProtocol } from '../catalog/refuse-protocol.ts';
import { isRefusal, type Refusal } from '../platform/errors/refusal.ts';
import type { Protocol } from '../protocols/protocol.ts';
import type { Exchange } from './http/exchange.ts';
import type { RequestTrace } from './request-trace.ts';
import { authenticate, identifyCaller } from './take-in.ts';
import type { ThreadContext } from './thread-context.ts';
import { replyHeaders } from './reply-refusal.ts';

interface ModelsReply {
  readonly trace: RequestTrace;
  /** Whose shape the list has. */
  readonly dialect: Protocol;
}

/** GET /v1/models: the models that this key may use, in the order of the price list. */
export async function serveModels(
  exchange: Exchange,
  context: ThreadContext,
  { trace, dialect }: ModelsReply,
): Promise<Refusal | undefined> {
  const models = await usableModels(exchange, context, { trace, dialect });
  if (isRefusal(models)) return models;
  const list = dialect.renderModels?.(models) ?? renderList(models);
  trace.httpStatus = 200;
  exchange.reply(200, replyHeaders(trace.requestId, dialect), JSON.stringify(list));
  return undefined;
}

/** GET /v1/models/{id}. */
export async function serveModel(
  exchange: Exchange,
  context: ThreadContext,
  { trace, dialect, publicId }: ModelsReply & { readonly publicId: string },
): Promise<Refusal | undefined> {
  const { catalog } = context.state;
  const models = await usableModels(exchange, context, { trace, dialect });
  if (isRefusal(models)) return models;
  const model = models.find((candidate) => candidate.publicId === publicId);
  if (model === undefined) {
    return refuseModel(publicId, catalog.offer(trace.principal?.groupId ?? '', publicId));
  }
  trace.httpStatus = 200;
  exchange.reply(
    200,
    replyHeaders(trace.requestId, dialect),
    JSON.stringify(dialect.renderModel?.(model) ?? render(model)),
  );
  return undefined;
}

async function usableModels(
  exchange: Exchange,
  context: ThreadContext,
  { trace, dialect }: ModelsReply,
): Promise<ModelEntry[] | Refusal> {
  const caller = identifyCaller(exchange, context);
  if (isRefusal(caller)) return caller;
  const principal = await authenticate(caller, { exchange, context, trace });
  if (isRefusal(principal)) return principal;
  const { catalog } = context.state;
  const { groupId } = principal;
  // A tool is told at once that its requests would be refused. OpenAI's shape is what everybody
  // gets who names no other, so that it says nothing about the tool.
  const known = dialect.sharesPath !== undefined;
  const foreign = known && refuseProtocol(catalog, { groupId, protocol: dialect.id, model: null });
  if (foreign) return foreign;
  return catalog.models(groupId).filter(({ publicId }) => principal.allowsModel(publicId));
}

function render(model: ModelEntry): object {
  return {
    id: model.publicId,
    object: 'model',
    created: model.createdAtSeconds,
    owned_by: model.vendor,
    type: 'model',
    display_name: model.publicId,
    created_at: new Date(model.createdAtSeconds * 1000).toISOString(),
  };
}

function renderList(models: readonly ModelEntry[]): object {
  const [first, last] = [models.at(0), models.at(-1)];
  // The last three fields are what Anthropic-style clients look for; OpenAI-style ones ignore them.
  return {
    object: 'list',
    data: models.map(render),
    has_more: false,
    first_id: first?.publicId ?? null,
    last_id: last?.publicId ?? null,
  };
}
