import type { FastifyRequest } from 'fastify';
import type { RouteId } from '@weir/shared/api/admin-routes';
import { networkOf } from '../../platform/network/address.ts';
import { countAttempt } from '../api/callers/attempts.ts';
import { clientAddressOf } from '../api/callers/client-address.ts';
import type { AdminContext } from '../api/context.ts';

/** Nobody is identified yet: another site's page may have sent a person's cookies with it. */
const INSERT = `
  insert into audit_entries (by, address, request_id, action, subject_kind, subject_id, after)
  values ('session', $1, $2, $3, 'route', $3, '{"refused": "cross_site"}')`;

/**
 * Notes in the audit log that a page of another site tried to act for a person. Of each network a
 * few are noted, so that such pages fill no table.
 */
export async function noteCrossSite(
  context: AdminContext,
  routeId: RouteId,
  request: FastifyRequest,
): Promise<void> {
  const address = clientAddressOf(request);
  const tooMany = await countAttempt(context, 'cross_site', networkOf(address));
  if (tooMany !== undefined) return;
  await context.pool.query(INSERT, [address, request.id, routeId]);
}
