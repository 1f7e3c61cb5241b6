import { HTML_REPLY, type Behaviour } from '../support/upstreams/fake-upstream.ts';
import type { Random } from '../simulator/random.ts';

/**
 * A reply that comes to its end: mostly quick, now and then slow to begin or longer than a hold
 * lives.
 */
export function steadyMood(random: Random): Behaviour {
  const reply = { kind: 'reply' } as const;
  if (random.chance(0.05)) return { ...reply, pieces: 40, pieceDelayMs: 30 };
  if (random.chance(0.1)) return { ...reply, headersDelayMs: random.between(100, 800) };
  return { ...reply, pieces: random.between(1, 8), pieceDelayMs: random.between(0, 10) };
}

/**
 * Half of the replies are steady ones, the rest go wrong, before or after the client has seen
 * something.
 */
export function moodyMood(random: Random): Behaviour {
  if (random.chance(0.5)) return steadyMood(random);
  const pieces = random.between(2, 20);
  const broken = { kind: 'reply', pieces, pieceDelayMs: 5 } as const;
  const cutAfterEvents = random.between(0, pieces);
  return random.pick<Behaviour>([
    { ...broken, end: 'reset', cutAfterEvents },
    { ...broken, end: 'eof', cutAfterEvents },
    { ...broken, end: 'hang', cutAfterEvents },
    { ...broken, end: 'error_event', cutAfterEvents },
    { ...broken, usage: 'absent' },
    { ...broken, usage: { prompt_tokens: -5, completion_tokens: 1e15, total_tokens: 'many' } },
    { kind: 'status', status: 500 },
    { kind: 'status', status: 400 },
    { kind: 'raw', pieces: ['data: {"choices":', '[{]\n\n', 'data: \u0000\n\n'] },
    HTML_REPLY,
  ]);
}
