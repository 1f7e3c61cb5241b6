import type { Router } from '@angular/router';
import { Id } from '@weir/shared/wire-values';
import { failureOf } from '../core/api/api-failure';
import { matchesSchema } from '../core/api/matches-schema';
import type { Dialogs } from '../design/dialog/dialogs';
import type { Toasts } from '../design/feedback/toasts';
import { RequestDialog } from './request-dialog';

interface Parts {
  readonly dialogs: Dialogs;
  readonly toasts: Toasts;
  readonly router: Router;
  readonly fetch: (requestId: string) => Promise<object>;
}

/** Whether what was typed or pasted is a request id, as a whole. */
export function isRequestId(text: string): boolean {
  return matchesSchema(Id, text);
}

/** Shows a request that is known by its id alone, then takes the id out of the address. */
export async function openRequest(requestId: string, parts: Parts): Promise<void> {
  try {
    const request = await parts.fetch(requestId);
    await parts.dialogs.open(RequestDialog, { data: request, wide: true });
  } catch (thrown) {
    parts.toasts.error(failureOf(thrown));
  }
  await parts.router.navigate([], {
    queryParams: { request: null },
    queryParamsHandling: 'merge',
    // Back must not open it again.
    replaceUrl: true,
  });
}
