import { newRequestId } from '../../gateway/platform/ids/request-id.ts';
import type { Ledger, Payer } from '../../gateway/ledger/ledger.ts';

/** The size of a usage record as the gateway writes it. */
const RECORD_CHARACTERS = 700;
const FILL = 'x'.repeat(RECORD_CHARACTERS - 160);

/** One hold and its settle. Answers how long the hold took, ms; throws when either is refused. */
export async function spend(ledger: Ledger, payer: Payer): Promise<number> {
  const requestId = newRequestId(Date.now());
  const startMs = performance.now();
  const held = await ledger.hold({
    requestId,
    payer,
    amountNanoUsd: 1_234_567,
    minimumNanoUsd: 1_234_567,
    tokens: 1_500,
    ttlMs: 120_000,
  });
  const tookMs = performance.now() - startMs;
  if (held.code !== 'held') throw new Error(`hold: ${JSON.stringify(held)}`);
  const known = { requestId, accountId: payer.account.id, keyId: payer.key.id };
  const settled = await ledger.settle({
    requestId,
    payer,
    actualNanoUsd: 345_678,
    tokens: 700,
    recordJson: JSON.stringify({ ...known, fill: FILL }),
  });
  if (settled.code !== 'settled') throw new Error(`settle: ${JSON.stringify(settled)}`);
  return tookMs;
}
