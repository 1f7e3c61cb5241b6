import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { RealtimeVendor } from '../../../support/upstreams/realtime-vendor.ts';
import {
  openRealtimeService,
  TURN_COST,
  type RealtimeCustomer,
  type RealtimeService,
} from './support/realtime-service.ts';

let service: RealtimeService;
let vendor: RealtimeVendor;
let customer: RealtimeCustomer;

beforeAll(async () => {
  service = await openRealtimeService();
  vendor = service.first;
});

afterAll(() => service.close());

beforeEach(async () => {
  vendor.reset();
  customer = await service.newCustomer();
});

const MIB = 1024 * 1024;

/** Opens a session whose client reads nothing behind the upgrade. */
async function openDeaf(key: string): Promise<Socket> {
  const { hostname, port } = new URL(service.gateway.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET /v1/realtime?model=voice HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nauthorization: Bearer ${key}\r\n\r\n`,
  );
  await once(socket, 'readable');
  return socket;
}

it('the upstream of a client that reads nothing is not read either', async () => {
  const socket = await openDeaf(customer.key);
  await vendor.until(() => vendor.open === 1);
  // Far more than the kernel's buffers on the way and one event take.
  const event = { type: 'conversation.item.retrieved', item: { audio: 'A'.repeat(MIB) } };
  for (let sent = 0; sent < 64; sent += 1) vendor.send(event);
  const before = vendor.bufferedBytes();
  expect(before).toBeGreaterThan(32 * MIB);
  // Another session is served meanwhile.
  const other = await customer.open();
  other.send({ type: 'response.create' });
  await other.next('response.done');
  await other.close();
  expect(vendor.bufferedBytes()).toBeGreaterThan(32 * MIB);
  // From here on it reads, and everything comes.
  let received = 0;
  socket.on('data', (chunk: Buffer) => (received += chunk.length));
  while (received < 64 * MIB) await once(socket, 'data');
  socket.destroy();
  await vendor.until(() => vendor.open === 0);
  expect(await customer.spent()).toBe(TURN_COST);
});

it('a client that sends faster than its upstream takes is closed', async () => {
  const session = await customer.open();
  await session.next('session.created');
  vendor.readsNothing = true;
  session.send({ type: 'input_audio_buffer.clear' });
  await vendor.until(() => vendor.isDeaf);
  const event = JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(1_000) });
  // The kernel takes some megabytes, the gateway 256 KiB and 2,048 events.
  for (let sent = 0; sent < 40_000; sent += 1) session.sendRaw(event);
  // A client that goes on sending may lose the reason with its connection.
  const { code } = await session.untilClosed();
  expect([1013, 1006]).toContain(code);
  expect(await customer.spent()).toBe(0);
});
