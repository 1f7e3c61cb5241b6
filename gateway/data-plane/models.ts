import { refuseProtocol } from '../catalog/refuse-group.ts';
import { refuseModel } from '../catalog/refuse-model.ts';
import type { Refusal } from '../platform/errors/refusal.ts';
import type { Outcome } from './attempt-outcome.ts';
import type { Principal } from './authentication/principal.ts';
import { replyHeaders } from './reply/reply-refusal.ts';
import type { ActiveRequest } from './request-path.ts';

/**
 * Describes the models that a key may use, in the order of the price list, or the one that the path
 * names.
 */
export function describeModels(
  principal: Principal,
  { exchange, endpoint: { protocol }, pathModel, dialect, context, trace }: ActiveRequest,
): Pick<Outcome, 'send'> | Refusal {
  const { catalog } = context.state;
  // A tool learns at once that its requests would be refused. Many clients use the default shape,
  // so it does not identify the tool.
  const isKnown = protocol.sharesPath !== undefined;
  const foreign = isKnown
    ? refuseProtocol(catalog, { to: principal, protocol: protocol.id, model: null })
    : undefined;
  if (foreign !== undefined) return foreign;
  const usable = catalog
    .models(principal.groupId)
    .filter(({ publicId }) => principal.allowsModel(publicId));
  const model = usable.find(({ publicId }) => publicId === pathModel);
  if (pathModel !== null && model === undefined) {
    return refuseModel(pathModel, catalog.offer(principal, pathModel));
  }
  const shown =
    model === undefined ? protocol.renderModels?.(usable) : protocol.renderModel?.(model);
  if (shown === undefined) throw new Error(`${protocol.id} describes no models`);
  return {
    send: () => {
      trace.httpStatus = 200;
      exchange.reply(200, replyHeaders(trace.requestId, dialect), JSON.stringify(shown));
    },
  };
}
