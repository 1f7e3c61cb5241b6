/**
 * The cost of a content log: on an HTTP thread, CPU microseconds for each request of a key without
 * one and of keys with one; and on the main thread and libuv's, for each request that is encrypted.
 */
import { randomBytes, randomInt } from 'node:crypto';
import type { CapturedContent } from '../../gateway/content-log/captured-content.ts';
import { maskWeirKeys } from '../../gateway/content-log/mask-weir-keys.ts';
import { sealContent } from '../../gateway/content-log/seal-content.ts';
import { Principal } from '../../gateway/data-plane/authentication/principal.ts';
import { ContentRecorder } from '../../gateway/data-plane/content-log/content-recorder.ts';
import { RequestTrace } from '../../gateway/data-plane/request-trace.ts';
import { deriveSecrets } from '../../gateway/platform/secrets/secrets.ts';
import { KEY_ROW } from '../../test/support/ledger/key-row.ts';

const ROUNDS = 5;
const WARM_UP = 2;
const CHUNKS = 200;

interface Size {
  readonly name: string;
  readonly calls: number;
  readonly requestBytes: number;
  readonly chunkBytes: number;
}

const SIZES: readonly Size[] = [
  { name: 'short request, 500 B', calls: 20_000, requestBytes: 500, chunkBytes: 0 },
  { name: 'stream of 200 chunks', calls: 2_000, requestBytes: 500, chunkBytes: 180 },
  { name: 'request of an agent, 213 kB', calls: 1_000, requestBytes: 213_000, chunkBytes: 0 },
];

/** CPU of one call of the whole process, garbage collection included: the median of the rounds. */
async function measure(name: string, calls: number, work: () => unknown): Promise<void> {
  const costs: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const before = process.cpuUsage();
    for (let call = 0; call < calls; call += 1) await work();
    const { user, system } = process.cpuUsage(before);
    if (round >= WARM_UP) costs.push((user + system) / calls);
  }
  const [median = Number.NaN] = costs.toSorted((a, b) => a - b).slice(Math.floor(ROUNDS / 2));
  console.log(`${name.padEnd(56)} ${median.toFixed(3).padStart(10)} us`);
}

/** Text of a conversation: words, so that it shrinks as prompts do. */
function textOf(bytes: number): Buffer {
  const words = Array.from({ length: 2_000 }, () => randomBytes(3).toString('hex'));
  let text = '{"messages":[{"role":"user","content":"';
  while (text.length < bytes) text += `${words[randomInt(words.length)] ?? ''} `;
  return Buffer.from(text.slice(0, bytes));
}

const LIMITS = { bytesMax: 256 * 1024, daysMax: 30 };
const recorder = new ContentRecorder(LIMITS, ({ bodies }: CapturedContent) => {
  if (bodies === null) throw new Error('there was no memory');
  // As to another thread: the memory moves.
  structuredClone(bodies, { transfer: [bodies.request.buffer, bodies.reply.buffer] });
});
const without = new Principal(KEY_ROW);
const trace = new RequestTrace();
trace.principal = new Principal({ ...KEY_ROW, keepsContent: true });
const secrets = deriveSecrets('a key of the bench, which is long enough');

await measure('a key without a content log', 1_000_000, () => {
  // Both looks that such a request pays for.
  if (recorder.records(without) || trace.recording !== null) throw new Error('recorded');
});
for (const { name, calls, requestBytes, chunkBytes } of SIZES) {
  const body = textOf(requestBytes);
  const chunk = textOf(chunkBytes === 0 ? 500 : chunkBytes);
  const chunks = chunkBytes === 0 ? 1 : CHUNKS;
  await measure(`HTTP thread: ${name}`, calls, () => {
    const recording = recorder.begin(body);
    for (let sent = 0; sent < chunks; sent += 1) recording.append(chunk);
    recorder.end(recording, trace);
  });
  const reply = Buffer.concat(Array.from({ length: chunks }, () => chunk));
  const owner = { requestId: trace.requestId, accountId: KEY_ROW.accountId };
  await measure(`main thread and libuv: ${name}`, Math.min(calls, 2_000), () =>
    sealContent(secrets, owner, { request: maskWeirKeys(body), reply: maskWeirKeys(reply) }),
  );
  const { sealed } = await sealContent(secrets, owner, { request: body, reply });
  console.log(`${`stored: ${name}`.padEnd(56)} ${String(sealed.length).padStart(10)} B`);
}
