import type { Route } from 'playwright-core';

export const REQUEST_ID = '01a1fe10-0000-7000-8000-00000000beef';

/** The API's reply to an internal error. */
export const PROBLEM = {
  type: '/api/problems/internal_error',
  title: 'Something broke inside Weir.',
  status: 500,
  detail: 'Something broke inside Weir.',
  code: 'internal_error',
  requestId: REQUEST_ID,
};

export async function failInside(route: Route): Promise<void> {
  await route.fulfill({
    status: 500,
    contentType: 'application/problem+json',
    body: JSON.stringify(PROBLEM),
  });
}
