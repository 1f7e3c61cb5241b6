import type { UpstreamRequest } from '../../../../../gateway/data-plane/upstream/upstream-pools.ts';
import type { AddressInfo, Server } from 'node:net';
import { HANG_MS } from '../../../../support/clocks/hang.ts';
import type { ChannelEntry } from '../../../../../gateway/catalog/snapshot.ts';

/** Lets an upstream listen on a free port, and answers the channel that leads to it. */
export async function openChannel(upstream: Server): Promise<ChannelEntry> {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  return channelAt(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}/v1`);
}

export function channelAt(baseUrl: string): ChannelEntry {
  return {
    id: 'channel',
    kind: 'openai',
    name: 'channel',
    baseUrl,
    credentials: [],
    priority: 0,
    weight: 1,
    concurrencyMax: null,
    groupIds: [],
    models: [],
    allowPrivate: true,
    outputLimitField: null,
    omittedFields: [],
    fieldPolicy: 'known',
    storesResponses: false,
    proxy: null,
    protocols: null,
    timeouts: {
      connectMs: HANG_MS,
      firstByteMs: HANG_MS + 1,
      idleMs: HANG_MS + 2,
      totalMs: HANG_MS + 3,
    },
  };
}

/** A chat completion as the request path sends it. */
export function chatRequest(body: Buffer, stream: boolean): UpstreamRequest {
  return { path: '/chat/completions', headers: [], body, stream };
}
