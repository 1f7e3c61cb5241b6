import type { RequestHead } from '../../protocols/protocol.ts';
import type { EndpointMatch } from '../../protocols/registry.ts';
import type { Exchange } from '../http/exchange.ts';

const NO_HEADERS: RequestHead['headers'] = {};
/** Read for replies that a tool keeps. */
export const IF_NONE_MATCH = 'if-none-match';
const NO_NAMES: readonly string[] = [];

/** Reads what of the head the protocol may look at; before the handler's first await. */
export function headOf(
  exchange: Exchange,
  { endpoint, pathModel }: Omit<EndpointMatch, 'ids'>,
): RequestHead {
  if (endpoint.operation === 'tool') {
    const headers = { [IF_NONE_MATCH]: exchange.header(IF_NONE_MATCH) };
    return { endpoint, pathModel, query: exchange.query(), headers };
  }
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
