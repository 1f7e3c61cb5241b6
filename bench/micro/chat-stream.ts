import { ChatStream } from '../../gateway/protocols/openai-chat/pass-through/chat-stream.ts';
import { measure } from './measure.ts';

const CHUNKS = 200;

function event(delta: object, finish: string | null, extra: object = {}): string {
  const chunk = {
    id: 'chatcmpl-AbCdEfGhIjKlMnOpQrStUvWxYz012',
    object: 'chat.completion.chunk',
    created: 1_694_268_190,
    model: 'gpt-4o-mini-2024-07-18',
    service_tier: 'default',
    system_fingerprint: 'fp_44709d6fcb',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    usage: null,
    ...extra,
  };
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function events(padded: boolean): Buffer[] {
  const parts = [event({ role: 'assistant', content: '' }, null)];
  for (let index = 0; index < CHUNKS; index += 1) {
    const padding = padded ? { obfuscation: 'x'.repeat(index % 9) } : {};
    parts.push(event({ content: index % 7 === 0 ? '\n' : ' water' }, null, padding));
  }
  parts.push(event({}, 'stop'));
  return parts.map((part) => Buffer.from(part));
}

/** Time per chunk of a whole stream, start and end included. */
function run(name: string, chunks: readonly Buffer[], publicModel: string): void {
  const us = measure(`whole stream, ${name}`, 300, () => {
    const stream = new ChatStream({ publicModel, includeUsage: false, choices: 1 });
    let bytes = 0;
    for (const chunk of chunks) bytes += stream.push(chunk).length;
    return bytes;
  });
  console.log(`${''.padEnd(4)}per event: ${((us / (CHUNKS + 2)) * 1000).toFixed(0)} ns`);
}

const single = events(false);
const parsed = single.map((chunk) => chunk.subarray(6, -2));
measure('JSON.parse alone, one chunk', 50_000, () => JSON.parse(String(parsed[5])));
run('one event a packet, same model', single, 'gpt-4o-mini-2024-07-18');
run('one event a packet, model renamed', single, 'gpt-4o-mini');
run('padded, model renamed', events(true), 'gpt-4o-mini');
run('all events in one packet, same model', [Buffer.concat(single)], 'gpt-4o-mini-2024-07-18');
run('all events in one packet, renamed', [Buffer.concat(single)], 'gpt-4o-mini');
const torn = Buffer.concat(single);
const packets: Buffer[] = [];
for (let at = 0; at < torn.length; at += 137) packets.push(torn.subarray(at, at + 137));
run('torn into packets of 137 bytes, renamed', packets, 'gpt-4o-mini');
