import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { eventsOf, vendorReply } from './vendor-replies.ts';
import { UPSTREAMS, type Upstream } from './open-paths.ts';

const RECORDINGS = fileURLToPath(new URL('../../../../recordings/', import.meta.url));
/** A mutation of a longer one changes too little of it. */
const SEED_BYTES_MAX = 20_000;

/** Replies of each kind of upstream, whole and streamed, as texts. */
export function replySeeds(): ReadonlyMap<Upstream, readonly string[]> {
  const seeds = new Map<Upstream, string[]>(
    UPSTREAMS.map((upstream) => {
      const reply = vendorReply(upstream);
      return [upstream, [JSON.stringify(reply.whole), eventsOf(reply).join('')]];
    }),
  );
  for (const file of globSync(`${RECORDINGS}*/*`)) {
    const upstream = upstreamOf(file);
    const text = upstream === undefined ? '' : replyIn(file);
    if (upstream === undefined || text === '' || text.length > SEED_BYTES_MAX) continue;
    seeds.get(upstream)?.push(text);
  }
  return seeds;
}

function upstreamOf(file: string): Upstream | undefined {
  if (file.includes('/openai-chat/') || file.includes('chat_completions')) return 'chat';
  if (file.endsWith('POST-v1_messages.json')) return 'messages';
  if (file.includes('v1_responses')) return 'responses';
  return file.includes('enerateContent') ? 'gemini' : undefined;
}

interface Recorded {
  readonly response?: { readonly sse?: readonly string[]; readonly body?: unknown };
}

function replyIn(file: string): string {
  const text = readFileSync(file, 'utf8');
  if (file.includes('/openai-chat/')) return /\.(?:txt|json)$/.test(file) ? text : '';
  const { response } = JSON.parse(text) as Recorded;
  if (response?.sse !== undefined) return response.sse.join('');
  return response?.body === undefined ? '' : JSON.stringify(response.body);
}
