import type { OPERATION_ROUTES } from '@weir/shared/api/admin-routes/operation';
import type { Answer, Call, HandlersOf } from '../api/call.ts';
import { audit } from '../audit/audit-log.ts';
import { resealAll } from './reseal.ts';

export const secretRotationHandlers: HandlersOf<Pick<typeof OPERATION_ROUTES, 'rotateSecrets'>> = {
  rotateSecrets,
};

async function rotateSecrets(call: Call<'rotateSecrets'>): Answer<'rotateSecrets'> {
  const { pool, secrets } = call.context;
  const after = await resealAll(pool, secrets);
  return {
    view: after,
    audit: await audit(pool, call, { kind: 'secrets', id: 'secrets', before: null, after }),
  };
}
