import type { CanMatchFn } from '@angular/router';
import { Month } from '@weir/shared/wire-values';
import { fits } from '../core/api/fits';

/** Statements are of months. Any other word in the address is no page: the route falls through to "not found". */
export const requireMonth: CanMatchFn = (_route, segments) =>
  fits(Month, segments.at(-1)?.path ?? '');
