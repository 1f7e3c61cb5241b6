import type { AddressInfo, Server } from 'node:net';
import type { ChannelEntry } from '../../../../../gateway/catalog/snapshot.ts';

/** Lets an upstream listen on a free port, and answers the channel that leads to it. */
export async function openChannel(upstream: Server): Promise<ChannelEntry> {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  return {
    id: 'channel',
    name: 'channel',
    baseUrl: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`,
    credentials: [],
    priority: 0,
    weight: 1,
    concurrencyMax: null,
    groupIds: [],
    models: [],
    allowPrivate: true,
    outputLimitField: null,
    omittedFields: [],
    timeouts: { connectMs: 5_000, firstByteMs: 5_000, idleMs: 5_000, totalMs: 5_000 },
  };
}
