import { ENDPOINTS } from '../../../gateway/protocols/registry.ts';
import type { RequestHead } from '../../../gateway/protocols/protocol.ts';

/** The head of an ordinary request to an endpoint. */
export function headFor(path: string): RequestHead {
  const endpoint = ENDPOINTS.find((one) => one.path === path);
  if (endpoint === undefined) throw new Error(`${path} is not served`);
  return { endpoint, pathModel: null, query: '', headers: {} };
}
