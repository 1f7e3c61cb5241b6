import { inject } from '@angular/core';
import { Router, type RedirectFunction } from '@angular/router';

/** The parameters with which the list of requests shows a month of usage. */
export const USAGE_PARAMETERS = { range: 'month', chart: '1' } as const;

/** Leads addresses of the former page of usage to the list of requests, with their filters. */
export function usageAddress(path: string): RedirectFunction {
  return ({ queryParams }) =>
    inject(Router).createUrlTree([path], { queryParams: { ...USAGE_PARAMETERS, ...queryParams } });
}
