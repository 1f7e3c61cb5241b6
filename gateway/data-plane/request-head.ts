import type { RequestHead } from '../protocols/protocol.ts';
import type { EndpointMatch } from '../protocols/registry.ts';
import type { Exchange } from './http/exchange.ts';

const NO_HEADERS: RequestHead['headers'] = {};

/** Reads what of the head the protocol may look at; before the handler's first await. */
export function headOf(
  exchange: Exchange,
  { endpoint, pathModel }: Omit<EndpointMatch, 'ids'>,
): RequestHead {
  const names = endpoint.protocol.headers;
  const headers =
    names.length === 0
      ? NO_HEADERS
      : Object.fromEntries(names.map((name) => [name, exchange.header(name)]));
  return { endpoint, pathModel, query: exchange.query(), headers };
}
