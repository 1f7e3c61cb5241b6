import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import type { Refusal } from '../../../platform/errors/refusal.ts';

const FORBIDDEN_STATUS = 403;

/**
 * Returns a refusal that no client is sent as 403. Set to a cloud, Claude Code takes that status
 * for credentials that are about to be renewed: it tries again for minutes, and tries other models.
 * It passes over a model that is 404, and shows what is 400.
 */
export function withoutForbidden(refusal: Refusal): Refusal {
  const { refused, vendorDetails = { error_code: refused } } = refusal;
  if (ERROR_CATALOGUE[refused].status !== FORBIDDEN_STATUS) return refusal;
  const shown = refused === 'model_not_allowed' ? 'model_not_found' : 'invalid_value';
  return { ...refusal, refused: shown, vendorDetails };
}
