import { readCredential } from './authentication/credential.ts';
import type { ModelEntry } from '../catalog/snapshot.ts';
import { refuseModel } from '../catalog/refuse-model.ts';
import { isRefusal, type Refusal } from '../platform/errors/refusal.ts';
import type { Exchange } from './http/exchange.ts';
import type { RequestTrace } from './request-trace.ts';
import type { ThreadContext } from './thread-context.ts';
import { replyHeaders } from './reply-refusal.ts';

/** GET /v1/models: the models that this key may use, in the order of the price list. */
export async function serveModels(
  exchange: Exchange,
  context: ThreadContext,
  trace: RequestTrace,
): Promise<Refusal | undefined> {
  const models = await usableModels(exchange, context, trace);
  if (isRefusal(models)) return models;
  const data = models.map(render);
  const [first, last] = [models.at(0), models.at(-1)];
  // The last three fields are what Anthropic-style clients look for; OpenAI-style ones ignore them.
  const list = {
    object: 'list',
    data,
    has_more: false,
    first_id: first?.publicId ?? null,
    last_id: last?.publicId ?? null,
  };
  trace.httpStatus = 200;
  exchange.reply(200, replyHeaders(trace.requestId), JSON.stringify(list));
  return undefined;
}

/** GET /v1/models/{id}. */
export async function serveModel(
  exchange: Exchange,
  context: ThreadContext,
  trace: RequestTrace,
  publicId: string,
): Promise<Refusal | undefined> {
  const { catalog } = context.state;
  const models = await usableModels(exchange, context, trace);
  if (isRefusal(models)) return models;
  const model = models.find((candidate) => candidate.publicId === publicId);
  if (model === undefined) {
    return refuseModel(publicId, catalog.offer(trace.principal?.groupId ?? '', publicId));
  }
  trace.httpStatus = 200;
  exchange.reply(200, replyHeaders(trace.requestId), JSON.stringify(render(model)));
  return undefined;
}

async function usableModels(
  exchange: Exchange,
  context: ThreadContext,
  trace: RequestTrace,
): Promise<ModelEntry[] | Refusal> {
  const credential = readCredential(exchange);
  if (isRefusal(credential)) return credential;
  const principal = await context.principals.find(credential.key);
  if (isRefusal(principal)) return principal;
  trace.principal = principal;
  return context.state.catalog
    .models(principal.groupId)
    .filter(({ publicId }) => principal.allowsModel(publicId));
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
