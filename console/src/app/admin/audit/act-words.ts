import type { AdminRoute } from '@weir/shared/admin-route';
import { ADMIN_ROUTES } from '@weir/shared/admin-routes';
import type { PlainKey } from '../../core/i18n/i18n';

type ActKey = Extract<PlainKey, `act.${string}`>;

/** Acts that can be in the log, by operation id. A spec proves that each has its words. */
export const ACTS: readonly string[] = Object.entries<AdminRoute>(ADMIN_ROUTES)
  .filter(([, { method, caller }]) => caller === 'admin' && method !== 'GET')
  .map(([act]) => act)
  .sort();

/** The key of the words for an act; `undefined` for one of a newer server, which is shown by its id. */
export function actKey(act: string): ActKey | undefined {
  return ACTS.includes(act) ? (`act.${act}` as ActKey) : undefined;
}
