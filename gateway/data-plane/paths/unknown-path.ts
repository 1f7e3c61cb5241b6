import { clientPath, DEFAULT_DIALECT, ENDPOINTS } from '../../protocols/registry.ts';
import { BASE_ADDRESS } from '../../protocols/vendor-paths.ts';

const POSTS = ENDPOINTS.flatMap((endpoint) => {
  if (!('creates' in endpoint) || endpoint.cloud !== undefined) return [];
  return [`${endpoint.method} ${clientPath(endpoint)}`];
}).join(', ');

const [EXAMPLE] = DEFAULT_DIALECT.endpoints;

/** The sentence that lists the served paths. */
export const SERVED = `Served are ${POSTS}, GET /v1/models and GET /v1/models/{id}.`;

export const BASE_ALONE = `This is the base address alone, without an endpoint. If your client has a setting for the whole address, enter https://<host>/v1/${EXAMPLE?.path ?? ''} there. ${SERVED}`;

/**
 * Says what is wrong with a path that belongs to no interface.
 * @param words the path's parts in small letters
 * @param start where the parts behind /v1, /api and the like begin
 */
export function explainUnknownPath(words: readonly string[], start: number): string {
  // Something is between the host and the endpoint that is none of ours.
  return words.at(-1) === 'models' || words.includes('v1', start)
    ? `No such path: the base address has something in it that does not belong there. ${BASE_ADDRESS}`
    : `No such path. ${SERVED} ${BASE_ADDRESS}`;
}
