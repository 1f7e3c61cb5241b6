import type { OPERATION_ROUTES } from '@weir/shared/admin-routes/operation';
import type { SecretRotationView } from '@weir/shared/settings';
import type { Call, HandlersOf } from '../api/call.ts';
import { audit } from '../audit/audit-log.ts';
import { resealAll } from './reseal.ts';

export const secretRotationHandlers: HandlersOf<Pick<typeof OPERATION_ROUTES, 'rotateSecrets'>> = {
  rotateSecrets,
};

async function rotateSecrets(call: Call<'rotateSecrets'>): Promise<SecretRotationView> {
  const { pool, secrets } = call.context;
  const after = await resealAll(pool, secrets);
  await audit(pool, call, { kind: 'secrets', id: 'secrets', before: null, after });
  return after;
}
