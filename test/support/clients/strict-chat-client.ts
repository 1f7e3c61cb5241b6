import { expect } from 'vitest';

export interface ReadStream {
  readonly models: readonly string[];
  /** Per choice. */
  readonly texts: readonly string[];
  readonly reasonings: readonly string[];
  readonly finishReasons: readonly string[];
  readonly tools: readonly { id: string; name: string; arguments: string }[];
  readonly usages: readonly unknown[];
  readonly finished: boolean;
}

interface Fragment {
  readonly index: number;
  readonly id?: string;
  readonly type?: string;
  readonly function?: { readonly name?: string; readonly arguments?: string };
}

interface Delta {
  readonly role?: string;
  readonly content?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly Fragment[];
}

interface Chunk {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly {
    readonly index: number;
    readonly delta: Delta;
    readonly finish_reason?: string | null;
  }[];
  readonly usage?: unknown;
}

interface Choice {
  roles: string[];
  text: string;
  reasoning: string;
  finishReasons: string[];
}

const DONE = 'data: [DONE]';

/**
 * Reads a stream as the least forgiving of the SDKs would, and fails on anything that one of them
 * stumbles over: fields that are missing or repeated, gaps in indexes, empty data, unknown lines.
 */
export function readStrictly(stream: string): ReadStream {
  const choices = new Map<number, Choice>();
  const tools: { id: string; name: string; arguments: string }[] = [];
  const models = new Set<string>();
  const ids = new Set<string>();
  const usages: unknown[] = [];
  const blocks = stream === '' ? [] : stream.replace(/\n\n$/, '').split('\n\n');
  const finished = blocks.at(-1) === DONE;
  for (const block of finished ? blocks.slice(0, -1) : blocks) {
    expect(block).toMatch(/^data: \{.*\}$/);
    const chunk = JSON.parse(block.slice(6)) as Chunk;
    expect(Object.keys(chunk)).toEqual(
      expect.arrayContaining(['id', 'object', 'created', 'model', 'choices']),
    );
    expect(chunk).not.toHaveProperty('error');
    expect(chunk.object).toBe('chat.completion.chunk');
    models.add(chunk.model);
    ids.add(chunk.id);
    if (chunk.usage !== undefined && chunk.usage !== null) {
      expect(chunk.choices).toEqual([]);
      usages.push(chunk.usage);
    }
    for (const { index, delta, finish_reason: reason } of chunk.choices) {
      expect(Number.isInteger(index)).toBe(true);
      const choice = choices.get(index) ?? {
        roles: [],
        text: '',
        reasoning: '',
        finishReasons: [],
      };
      choices.set(index, choice);
      readDelta(delta, choice, tools);
      if (reason !== null && reason !== undefined) choice.finishReasons.push(reason);
    }
  }
  expect(ids.size).toBeLessThanOrEqual(1);
  const ordered = [...choices].sort(([a], [b]) => a - b).map(([, choice]) => choice);
  for (const choice of ordered) {
    expect(choice.roles).toEqual(['assistant']);
    if (finished) expect(choice.finishReasons.length).toBe(1);
  }
  for (const call of tools)
    if (finished) expect(() => JSON.parse(call.arguments) as unknown).not.toThrow();
  return {
    models: [...models],
    texts: ordered.map(({ text }) => text),
    reasonings: ordered.map(({ reasoning }) => reasoning),
    finishReasons: ordered.flatMap(({ finishReasons }) => finishReasons),
    tools,
    usages,
    finished,
  };
}

function readDelta(
  delta: Delta,
  choice: Choice,
  tools: { id: string; name: string; arguments: string }[],
): void {
  if (delta.role !== undefined) choice.roles.push(delta.role);
  choice.text += delta.content ?? '';
  choice.reasoning += delta.reasoning_content ?? delta.reasoning ?? '';
  for (const fragment of delta.tool_calls ?? []) {
    const known = tools[fragment.index];
    if (known === undefined) {
      expect(fragment.index).toBe(tools.length);
      expect(fragment.type).toBe('function');
      expect(fragment.id).toMatch(/./);
      expect(tools.map((call) => call.id)).not.toContain(fragment.id);
      expect(fragment.function?.name).toMatch(/./);
      tools.push({
        id: fragment.id ?? '',
        name: fragment.function?.name ?? '',
        arguments: fragment.function?.arguments ?? '',
      });
    } else {
      expect(fragment).not.toHaveProperty('id');
      expect(fragment).not.toHaveProperty('type');
      expect(fragment.function ?? {}).not.toHaveProperty('name');
      known.arguments += fragment.function?.arguments ?? '';
    }
  }
}
