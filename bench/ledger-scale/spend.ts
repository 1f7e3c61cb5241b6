import { newRequestId } from '../../gateway/platform/ids/request-id.ts';
import type { HoldRequest, Ledger, Payer } from '../../gateway/ledger/ledger.ts';

import { recordOf } from '../../test/gateway/ledger/support/fixtures.ts';

/** The size of a usage record as the gateway writes it. */
const RECORD_CHARACTERS = 700;

/** One hold and its settle. Answers how long the hold took, ms; throws when either is refused. */
export async function spend(ledger: Ledger, payer: Payer): Promise<number> {
  const hold: HoldRequest = {
    requestId: newRequestId(Date.now()),
    payer,
    amountNanoUsd: 1_234_567,
    minimumNanoUsd: 1_234_567,
    tokens: 1_500,
    ttlMs: 120_000,
  };
  const startMs = performance.now();
  const held = await ledger.hold(hold);
  const tookMs = performance.now() - startMs;
  if (held.code !== 'held') throw new Error(`hold: ${JSON.stringify(held)}`);
  const actualNanoUsd = 345_678;
  const settled = await ledger.settle({
    requestId: hold.requestId,
    payer,
    actualNanoUsd,
    tokens: 700,
    recordJson: recordJsonOf(hold, actualNanoUsd),
  });
  if (settled.code !== 'settled') throw new Error(`settle: ${JSON.stringify(settled)}`);
  return tookMs;
}

function recordJsonOf(hold: HoldRequest, costNanoUsd: number): string {
  const record = recordOf(hold, costNanoUsd);
  const missing = RECORD_CHARACTERS - JSON.stringify({ ...record, fill: '' }).length;
  return JSON.stringify({ ...record, fill: 'x'.repeat(Math.max(0, missing)) });
}
