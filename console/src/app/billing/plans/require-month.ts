import type { CanMatchFn } from '@angular/router';
import { Month } from '@weir/shared/api/wire-values';
import { matchesSchema } from '../../core/api/matches-schema';

/**
 * Statements are of months. Any other word in the address is no page: the route falls through to
 * "not found".
 */
export const requireMonth: CanMatchFn = (_route, segments) =>
  matchesSchema(Month, segments.at(-1)?.path ?? '');
