import { newRequestId } from '../../gateway/platform/ids/request-id.ts';
import type { HoldRequest, Ledger, Payer } from '../../gateway/ledger/ledger.ts';

import type { UsageRecordJson } from '../../shared/watch/usage-record.ts';

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

function recordJsonOf({ requestId, payer }: HoldRequest, costNanoUsd: number): string {
  const record: UsageRecordJson = {
    requestId,
    accountId: payer.account.id,
    keyId: payer.key.id,
    ...(payer.member && { memberId: payer.member.id }),
    ...(payer.team && { teamId: payer.team.id }),
    groupId: payer.group.id,
    model: 'bench',
    channelId: null,
    protocol: 'openai-chat',
    upstreamProtocol: 'openai-chat',
    createdAtMs: Date.now(),
    status: 'completed',
    httpStatus: 200,
    stream: false,
    input: 10,
    cachedInput: 0,
    cacheWrite: 0,
    output: 20,
    reasoning: 0,
    inputNanoUsd: 1,
    cachedInputNanoUsd: 1,
    cacheWriteNanoUsd: 1,
    outputNanoUsd: 1,
    perCallNanoUsd: 0,
    multiplierPpm: 1_000_000,
    costNanoUsd,
    estimated: false,
    capped: false,
    attempts: 1,
    latencyMs: 12,
    firstByteMs: 5,
  };
  const missing = RECORD_CHARACTERS - JSON.stringify({ ...record, fill: '' }).length;
  return JSON.stringify({ ...record, fill: 'x'.repeat(Math.max(0, missing)) });
}
