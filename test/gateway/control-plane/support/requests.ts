import type pg from 'pg';
import { startHistoryWriter } from '../../../../gateway/request-history/history-writer.ts';
import { RequestHistory } from '../../../../gateway/request-history/request-history.ts';
import { SILENT_LOG } from '../../../../gateway/ledger/ledger-log.ts';
import type { RequestSummary } from '../../../../gateway/platform/telemetry/request-log.ts';
import { served } from '../../request-history/support/summary.ts';

/** A sender as requests have it. */
export function senderOf(ids: {
  readonly accountId: string;
  readonly keyId: string;
  readonly groupId: string;
}): RequestSummary['principal'] {
  const { accountId, keyId, groupId } = ids;
  return {
    accountId,
    logged: `"keyPrefix":"sk-abcdef","accountId":"${accountId}"`,
    recorded: `,"keyId":"${keyId}","groupId":"${groupId}"`,
  };
}

/** Enters requests as gateways do; each is changed from one that was served. Returns their ids. */
export async function enterRequests(
  pool: pg.Pool,
  changes: readonly (Partial<RequestSummary> & { readonly durationMs?: number })[],
): Promise<string[]> {
  const writer = startHistoryWriter(pool, SILENT_LOG);
  const history = new RequestHistory(10_000, (batch) => writer.add(batch));
  const ids: string[] = [];
  for (const { durationMs = 500, ...change } of changes) {
    const request = served(change.startedAtMs ?? Date.now(), change);
    ids.push(request.requestId);
    history.add(request, request.startedAtMs + durationMs);
  }
  history.close();
  await writer.stop(60_000);
  return ids;
}
