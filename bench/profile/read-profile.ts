import { readFileSync } from 'node:fs';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';

/**
 * A V8 CPU profile as `node --cpu-prof` writes it: the parts that are used here. Times are
 * microseconds.
 */
const CpuProfile = Type.Object({
  nodes: Type.Array(
    Type.Object({
      id: Type.Number(),
      callFrame: Type.Object({
        functionName: Type.String(),
        url: Type.String(),
        /** From 0. */
        lineNumber: Type.Number(),
      }),
      children: Type.Optional(Type.Array(Type.Number())),
      positionTicks: Type.Optional(
        Type.Array(Type.Object({ line: Type.Number(), ticks: Type.Number() })),
      ),
    }),
  ),
  startTime: Type.Number(),
  endTime: Type.Number(),
  samples: Type.Array(Type.Number()),
  timeDeltas: Type.Array(Type.Number()),
});
type CpuProfile = Static<typeof CpuProfile>;

/** A place in the code and the time spent there itself, not in what it called. */
export interface ProfileNode {
  readonly functionName: string;
  readonly url: string;
  /** From 1; 0 for native code. */
  readonly line: number;
  readonly parent: ProfileNode | undefined;
  readonly selfUs: number;
  /** Samples by line; of the whole profile, because V8 does not say when each was taken. */
  readonly ticksByLine: readonly { readonly line: number; readonly ticks: number }[];
}

export interface Profile {
  readonly nodes: readonly ProfileNode[];
  /** Time of all samples taken, idle included. */
  readonly totalUs: number;
}

/**
 * Times on the clock that V8 stamps profiles with; on Linux `process.hrtime` reads the same one.
 */
export interface Window {
  readonly fromUs: number;
  readonly toUs: number;
}

interface MutableNode {
  functionName: string;
  url: string;
  line: number;
  parent: MutableNode | undefined;
  selfUs: number;
  ticksByLine: { line: number; ticks: number }[];
}

function nodesOf(profile: CpuProfile): Map<number, MutableNode> {
  const nodes = new Map<number, MutableNode>(
    profile.nodes.map(({ id, callFrame, positionTicks = [] }) => [
      id,
      {
        functionName: callFrame.functionName,
        url: callFrame.url,
        line: callFrame.lineNumber + 1,
        parent: undefined,
        selfUs: 0,
        ticksByLine: positionTicks,
      },
    ]),
  );
  for (const { id, children = [] } of profile.nodes) {
    for (const child of children) {
      const node = nodes.get(child);
      if (node !== undefined) node.parent = nodes.get(id);
    }
  }
  return nodes;
}

/**
 * Reads a profile and adds up the samples taken within the window: start and warm-up are left out.
 */
export function readProfile(path: string, window: Window): Profile {
  const profile: unknown = JSON.parse(readFileSync(path, 'utf8'));
  if (!Value.Check(CpuProfile, profile)) throw new Error(`${path} is not a CPU profile.`);
  const nodes = nodesOf(profile);
  let atUs = profile.startTime;
  let totalUs = 0;
  for (const [index, id] of profile.samples.entries()) {
    const deltaUs = profile.timeDeltas[index] ?? 0;
    atUs += deltaUs;
    if (atUs < window.fromUs || atUs > window.toUs) continue;
    const node = nodes.get(id);
    if (node !== undefined) node.selfUs += deltaUs;
    totalUs += deltaUs;
  }
  return { nodes: [...nodes.values()], totalUs };
}
