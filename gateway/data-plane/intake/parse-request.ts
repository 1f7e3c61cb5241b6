import { isRefusal, type Refusal } from '../../platform/errors/refusal.ts';
import type { ParsedRequest, RequestHead } from '../../protocols/protocol.ts';
import type { ServedEndpoint } from '../../protocols/registry.ts';
import type { Principal } from '../authentication/principal.ts';
import type { ThreadContext } from '../thread-context.ts';

/** A request for a model whose sender is known. */
export interface ModelRequest {
  readonly principal: Principal;
  readonly bytes: Buffer;
  readonly head: RequestHead;
}

/** Clouds have ids of their own for models: the request is read with the public ID in its place. */
export function parseRequest(
  { principal, bytes, head }: ModelRequest,
  { protocol }: ServedEndpoint,
  { state: { catalog }, requestLimits }: ThreadContext,
): ParsedRequest | Refusal {
  const { pathModel } = head;
  if (pathModel !== null) {
    const named = { ...head, pathModel: catalog.publicIdOf(principal, pathModel) };
    return protocol.parse(bytes, named, requestLimits);
  }
  const request = protocol.parse(bytes, head, requestLimits);
  if (isRefusal(request)) return request;
  const publicId = catalog.publicIdOf(principal, request.model);
  if (publicId === request.model) return request;
  return protocol.parse(bytes, { ...head, pathModel: publicId }, requestLimits);
}
