import { newRequestId } from '../../platform/ids/request-id.ts';
import { decodeProbe } from './commands/decode.ts';
import { encodeProbe } from './commands/encode.ts';
import type { ScriptCaller } from './transport/script-caller.ts';

interface ProbeOptions {
  readonly caller: Pick<ScriptCaller, 'ask' | 'reach'>;
  readonly restoreEpoch: (partition: number) => Promise<void>;
  readonly nowMs: () => number;
}

/**
 * Resolves when Redis has held and released (lua/probe.lua); rejects with the reason otherwise. On
 * a cluster it resolves when one partition works, and thus the accounts of its server: a load
 * balancer must not take the service from all because a part of the cluster has failed.
 */
export async function probeRedis(options: ProbeOptions): Promise<void> {
  const partitions = options.caller.reach.map(([first = 0]) => first);
  try {
    await Promise.any(partitions.map((partition) => probePartition(partition, options)));
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error;
  }
}

async function probePartition(partition: number, options: ProbeOptions): Promise<void> {
  const { caller, restoreEpoch, nowMs } = options;
  const ask = async (): Promise<'held' | 'no_epoch'> =>
    decodeProbe(await caller.ask(partition, encodeProbe(partition, newRequestId(nowMs()))));
  if ((await ask()) === 'held') return;
  await restoreEpoch(partition);
  if ((await ask()) === 'no_epoch') throw new Error(`partition ${partition} has no epoch`);
}
