import { setTimeout as sleep } from 'node:timers/promises';
import { RealtimeClient } from '../../gateway/data-plane/realtime/support/realtime-client.ts';
import type { Random } from '../../simulator/random.ts';
import type { SpokenReplies } from './spoken-replies.ts';

const TURNS_MAX = 4;
const LEAVES = 0.2;
const LEAVE_AFTER_MS_MAX = 150;
/** A session that says nothing for so long is left. */
const SILENCE_MS_MAX = 15_000;
/** 24,000 samples of 16 bits. */
const BYTES_PER_SECOND = 48_000;

/**
 * One realtime session of a client: it speaks, asks for replies, and leaves at its end or in the
 * middle of a reply. Rejects when the session is refused or breaks.
 */
export async function converse(
  url: string,
  key: string,
  { random, spoken }: { readonly random: Random; readonly spoken: SpokenReplies },
): Promise<void> {
  const client = await inTime(RealtimeClient.open(url, { key }));
  try {
    const hears = random.chance(0.5);
    const input = { transcription: { model: 'hear' } };
    if (hears) {
      client.send({ type: 'session.update', session: { type: 'realtime', audio: { input } } });
    }
    for (let turn = random.between(1, TURNS_MAX); turn > 0; turn -= 1) {
      if (hears) {
        const audio = Buffer.alloc(3 * BYTES_PER_SECOND).toString('base64');
        client.send({ type: 'input_audio_buffer.append', audio });
        client.send({ type: 'input_audio_buffer.commit' });
      }
      client.send({ type: 'response.create' });
      if (random.chance(LEAVES)) {
        await sleep(random.between(0, LEAVE_AFTER_MS_MAX));
        return;
      }
      const { response } = await inTime(client.next('response.done', 'error'));
      spoken.heard(response?.usage);
    }
  } finally {
    client.leave();
  }
}

async function inTime<Value>(work: Promise<Value>): Promise<Value> {
  const silence = new AbortController();
  const late = sleep(SILENCE_MS_MAX, undefined, { signal: silence.signal }).then(() => {
    throw new Error('nothing came');
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    silence.abort();
    late.catch(() => undefined);
  }
}
