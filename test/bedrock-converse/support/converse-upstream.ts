/**
 * What an upstream that speaks Converse sends, with the frames of its streams decoded into events.
 */
import type { Counts } from '../../gateway/data-plane/settlement/support/one-turn.ts';
import {
  PROOF,
  USAGE,
  type Turn,
} from '../../gateway/data-plane/settlement/support/turn-upstreams.ts';

const SAID = 'It is done.';

export function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

function reported({ input, cached, write, write1h, output, tier }: Counts): object {
  return {
    usage: {
      inputTokens: input - cached - write - write1h,
      outputTokens: output,
      totalTokens: input + output,
      cacheReadInputTokens: cached,
      cacheWriteInputTokens: write + write1h,
      cacheDetails: [
        { ttl: '1h', inputTokens: write1h },
        { ttl: '5m', inputTokens: write },
      ],
    },
    metrics: { latencyMs: 1 },
    serviceTier: { type: tier ?? 'default' },
  };
}

export function reply(counts: Counts): object {
  return {
    output: { message: { role: 'assistant', content: [{ text: SAID }] } },
    stopReason: 'end_turn',
    ...reported(counts),
  };
}

/** The blocks of a turn: each with the start that it may have, and its deltas. */
function blocksOf({ thought, pieces = [], calls = [] }: Turn) {
  const reasoning = [{ text: thought }, { signature: PROOF }];
  return [
    ...(thought === undefined
      ? []
      : [{ deltas: reasoning.map((reasoningContent) => ({ reasoningContent })) }]),
    ...(pieces.length === 0 ? [] : [{ deltas: pieces.map((text) => ({ text })) }]),
    ...calls.map(({ id, name, input }) => ({
      start: { toolUse: { toolUseId: id, name } },
      deltas: [{ toolUse: { input: JSON.stringify(input) } }],
    })),
  ];
}

const USED: Counts = { ...USAGE, write: 0, write1h: 0 };

export function events(turn: Turn, counts: Counts = USED): string[] {
  const blocks = blocksOf(turn).flatMap(({ deltas, ...block }, contentBlockIndex) => [
    ...('start' in block
      ? [event('contentBlockStart', { contentBlockIndex, start: block.start })]
      : []),
    ...deltas.map((delta) => event('contentBlockDelta', { contentBlockIndex, delta })),
    event('contentBlockStop', { contentBlockIndex }),
  ]);
  const stopReason = (turn.calls ?? []).length > 0 ? 'tool_use' : 'end_turn';
  return [
    event('messageStart', { role: 'assistant' }),
    ...blocks,
    event('messageStop', { stopReason }),
    event('metadata', reported(counts)),
  ];
}

export const DONE: Turn = { pieces: [SAID] };
