import type { Profile, ProfileNode } from './read-profile.ts';

/** Names that V8 gives to what is no function. */
const IDLE = '(idle)';
const COLLECTOR = '(garbage collector)';
const PROGRAM = '(program)';

export const IDLE_ROOM = 'idle';

/**
 * The room a piece of code belongs to: a folder of gateway/, a package, Node's own JavaScript.
 * Native functions (hash, writev, JSON.parse) belong to their callers; what V8 could not
 * attribute is "(program)": event loop, kernel, uWebSockets.js' own C++.
 */
function roomOf(node: ProfileNode): string {
  if (node.functionName === IDLE) return IDLE_ROOM;
  if (node.functionName === COLLECTOR) return 'garbage collector';
  if (node.functionName === PROGRAM || node.functionName === '(root)') return 'native, event loop';
  if (node.url === '') return node.parent === undefined ? 'native' : roomOf(node.parent);
  const path = decodeURI(node.url);
  const dependency = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(path)?.[1];
  if (dependency !== undefined) return `package ${dependency}`;
  const own = /\/(gateway|shared)\/(.+)$/.exec(path);
  if (own !== null) {
    const [first = '', second] = (own[2] ?? '').split('/');
    return second === undefined ? `${own[1] ?? ''}/${first}` : `${own[1] ?? ''}/${first}/`;
  }
  if (path.startsWith('wasm:')) return 'package undici (llhttp in WebAssembly)';
  return path.startsWith('node:') ? 'node' : 'other';
}

export interface Cost {
  readonly name: string;
  readonly selfUs: number;
  /** The part of it that native functions took which it called. */
  readonly nativeUs: number;
}

function addUp(profile: Profile, nameOf: (node: ProfileNode) => string): Cost[] {
  const costs = new Map<string, { selfUs: number; nativeUs: number }>();
  for (const node of profile.nodes) {
    if (node.selfUs === 0) continue;
    const name = nameOf(node);
    const cost = costs.get(name) ?? { selfUs: 0, nativeUs: 0 };
    cost.selfUs += node.selfUs;
    if (node.url === '' && !node.functionName.startsWith('(')) cost.nativeUs += node.selfUs;
    costs.set(name, cost);
  }
  return [...costs].map(([name, cost]) => ({ name, ...cost })).sort((a, b) => b.selfUs - a.selfUs);
}

export function costsByRoom(profile: Profile): Cost[] {
  return addUp(profile, roomOf);
}

/** The file of a place as it is known in the repository. */
function shortPath(url: string): string {
  return decodeURI(url).replace(/^.*\/(?=(?:gateway|shared)\/[^/]+)|^.*\/node_modules\//, '');
}

/** Functions by their own time; a native one is named with the function that called it. */
export function costsByFunction(profile: Profile): Cost[] {
  return addUp(profile, (node) => {
    const name = node.functionName === '' ? '(anonymous)' : node.functionName;
    if (node.url !== '') return `${name} ${shortPath(node.url)}:${node.line}`;
    let caller = node.parent;
    while (caller?.url === '') caller = caller.parent;
    return caller === undefined
      ? name
      : `${name} (native) < ${caller.functionName} ${shortPath(caller.url)}:${caller.line}`;
  });
}

/**
 * Lines of our own code by the time spent on them, as shares of their function's time within the
 * window.
 */
export function costsByLine(profile: Profile): Cost[] {
  const costs = new Map<string, number>();
  for (const { url, selfUs, ticksByLine } of profile.nodes) {
    if (selfUs === 0 || !/\/(?:gateway|shared)\//.test(url)) continue;
    const all = ticksByLine.reduce((sum, { ticks }) => sum + ticks, 0);
    for (const { line, ticks } of ticksByLine) {
      const name = `${shortPath(url)}:${line}`;
      costs.set(name, (costs.get(name) ?? 0) + (selfUs * ticks) / all);
    }
  }
  return [...costs]
    .map(([name, selfUs]) => ({ name, selfUs, nativeUs: 0 }))
    .sort((a, b) => b.selfUs - a.selfUs);
}
