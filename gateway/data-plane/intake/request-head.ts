import type { RequestHead } from '../../protocols/protocol.ts';
import type { EndpointMatch } from '../../protocols/registry.ts';
import type { Exchange } from '../http/exchange.ts';

const NO_HEADERS: RequestHead['headers'] = {};
const NO_NAMES: readonly string[] = [];

/** Reads what of the head the protocol may look at; before the handler's first await. */
export function headOf(
  exchange: Exchange,
  { endpoint, pathModel }: Omit<EndpointMatch, 'ids'>,
): RequestHead {
  const { headers: names, listHeaders = NO_NAMES } = endpoint.protocol;
  const headers =
    names.length + listHeaders.length === 0
      ? NO_HEADERS
      : Object.fromEntries<string>([
          ...names.map((name) => [name, exchange.header(name)] as const),
          ...listHeaders.map((name) => [name, exchange.headerList(name)] as const),
        ]);
  return { endpoint, pathModel, query: exchange.query(), headers };
}
