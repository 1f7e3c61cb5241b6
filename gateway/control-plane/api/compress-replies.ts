import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ADMIN_ROUTES } from '@weir/shared/api/admin-routes';
import type { AdminRoute } from '@weir/shared/api/admin-route';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const brotliOf = promisify(brotliCompress);
const gzipOf = promisify(gzip);

/** A shorter text fits the packet that its head is sent in. */
const COMPRESSED_BYTES_MIN = 1_024;

/** 5 of 11: a price list of 300 models takes milliseconds, and the next steps save little. */
const BROTLI_QUALITY = 5;

type Coding = 'br' | 'gzip';

/** Reads `Accept-Encoding` (RFC 9110, 12.5.3); undefined for a client that takes neither coding. */
export function acceptedCoding(header: string | undefined): Coding | undefined {
  const accepted = new Map(
    (header ?? '').split(',').map((entry): [string, boolean] => {
      const [coding = '', ...terms] = entry.toLowerCase().split(';');
      return [coding.trim(), !terms.some((term) => /^\s*q\s*=\s*0(?:\.0*)?\s*$/.test(term))];
    }),
  );
  const takes = (coding: Coding) => accepted.get(coding) ?? accepted.get('*') ?? false;
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : undefined;
}

function compress(text: string, coding: Coding): Promise<Buffer> {
  if (coding === 'gzip') return gzipOf(text);
  return brotliOf(text, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
}

/**
 * Lists and views alone. The compressed length of a reply that has a secret next to a text of the
 * caller reveals the secret (BREACH), so replies to changes and those with codes are sent plain.
 */
function mayCompress(request: FastifyRequest, reply: FastifyReply): boolean {
  const { routeId } = request.routeOptions.config;
  const route: AdminRoute | undefined = routeId && ADMIN_ROUTES[routeId];
  return (
    request.method === 'GET' &&
    route?.fullScope !== true &&
    // An ETag names the bytes as they are.
    !reply.hasHeader('etag') &&
    String(reply.getHeader('content-type')).startsWith('application/json')
  );
}

/** Compresses JSON replies for clients that accept it. */
export function compressReplies(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || !mayCompress(request, reply)) return payload;
    const known = reply.getHeader('vary');
    const vary = known === undefined ? '' : `${String(known)}, `;
    void reply.header('vary', `${vary}accept-encoding`);
    const coding = acceptedCoding(request.headers['accept-encoding']);
    if (coding === undefined || payload.length < COMPRESSED_BYTES_MIN) return payload;
    const compressed = await compress(payload, coding);
    void reply.header('content-encoding', coding);
    void reply.removeHeader('content-length');
    return compressed;
  });
}
