import { ResponsesStream } from '../../gateway/protocols/openai-responses/pass-through/responses-stream.ts';
import { measure } from './measure.ts';

const CHUNKS = 200;

function event(type: string, number: number, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number, ...fields })}\n\n`;
}

const RESPONSE = { id: 'resp_1', object: 'response', model: 'gpt-5.5', created_at: 1, output: [] };
const AT = { item_id: 'msg_69m5ue0pg993as06jj42', output_index: 1, content_index: 0 };

function events(padded: boolean): Buffer[] {
  const item = { id: AT.item_id, type: 'message', role: 'assistant', content: [] };
  const parts = [
    event('response.created', 0, { response: RESPONSE }),
    event('response.output_item.added', 1, { output_index: 1, item }),
  ];
  for (let index = 0; index < CHUNKS; index += 1) {
    const padding = padded ? { obfuscation: 'x'.repeat(index % 9) } : {};
    const delta = index % 7 === 0 ? '\n' : ' water';
    const fields = { ...AT, delta, logprobs: [], ...padding };
    parts.push(event('response.output_text.delta', index + 2, fields));
  }
  const usage = { input_tokens: 9, output_tokens: 200, total_tokens: 209 };
  const response = { ...RESPONSE, status: 'completed', usage };
  parts.push(event('response.completed', CHUNKS + 2, { response }));
  return parts.map((part) => Buffer.from(part));
}

/**
 * Time per chunk of a whole stream, start and end included; see chat-stream.ts for the same of
 * chat.
 */
function run(name: string, chunks: readonly Buffer[], publicModel: string): void {
  const us = measure(`whole stream, ${name}`, 300, () => {
    const stream = new ResponsesStream({ publicModel });
    let bytes = 0;
    for (const chunk of chunks) bytes += stream.push(chunk).length;
    return bytes;
  });
  console.log(`${''.padEnd(4)}per event: ${((us / (CHUNKS + 3)) * 1000).toFixed(0)} ns`);
}

const single = events(false);
run('one event a packet, same model', single, 'gpt-5.5');
run('one event a packet, model renamed', single, 'public');
run('padded, model renamed', events(true), 'public');
run('all events in one packet, same model', [Buffer.concat(single)], 'gpt-5.5');
