import { addedLatency } from './added-latency.ts';
import { agentSize } from './agent-size.ts';
import { badKeyFlood } from './bad-key-flood.ts';
import { coldKeys } from './cold-keys.ts';
import { firstChunk } from './first-chunk.ts';
import { growth } from './growth.ts';
import { manyAccounts } from './many-accounts.ts';
import { images, speech } from './media.ts';
import { openStreams } from './open-streams.ts';
import { PROTOCOL_STREAMS } from './protocol-streams.ts';
import { realtime } from './realtime.ts';
import { refusals } from './refusals.ts';
import { requestLog } from './request-log.ts';
import type { Scenario } from './scenario.ts';
import { shortCompletion } from './short-completion.ts';
import { sideBySide } from './side-by-side.ts';
import { slowUpstream } from './slow-upstream.ts';
import { streams } from './streams.ts';
import { uploads } from './uploads.ts';

/**
 * In the order they run: those that use the gateway's defaults first, so that it starts once for
 * them.
 */
export const SCENARIOS: readonly Scenario[] = [
  shortCompletion,
  addedLatency,
  streams,
  ...PROTOCOL_STREAMS,
  images,
  speech,
  realtime,
  uploads,
  firstChunk,
  agentSize,
  sideBySide,
  manyAccounts,
  refusals,
  badKeyFlood,
  requestLog,
  growth,
  coldKeys,
  slowUpstream,
  openStreams,
];

/**
 * The scenarios asked for, all when none is named. Throws with a message for the person on an
 * unknown name.
 */
export function chooseScenarios(names: readonly string[]): Scenario[] {
  const unknown = names.find((name) => !SCENARIOS.some((scenario) => scenario.name === name));
  if (unknown !== undefined) {
    const known = SCENARIOS.map((scenario) => scenario.name).join(', ');
    throw new Error(`--scenario knows ${known}, not "${unknown}".`);
  }
  return SCENARIOS.filter(({ name }) => names.length === 0 || names.includes(name));
}
