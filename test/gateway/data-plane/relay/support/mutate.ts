/** A repeatable source of chance (mulberry32). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number below `end`. */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, end);
  }

  of<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)];
    if (found === undefined) throw new Error('nothing to choose from');
    return found;
  }
}

/** Tokens that servers have been seen to send, and that parsers stumble over. */
const TOKENS = [
  'null',
  '{}',
  '[]',
  '""',
  '-1',
  '0',
  '1e309',
  '1e15',
  '0.5',
  '"7"',
  'true',
  '"stop"',
  '"STOP"',
  'data: ',
  'data:',
  '\n\n',
  '\r\n\r\n',
  '\r',
  ': comment\n\n',
  'event: error\n',
  'data: [DONE]\n\n',
  '\ufeff',
  '\0',
  '\u2028',
  '"\\u0000"',
  '"\\ud800"',
  '{"error":{"message":"x"}}',
  '"error":null,',
  '"usage":null,',
  '"choices":[],',
  '"finish_reason":"length"',
  '"type":"error"',
  '[{',
  '}]',
  '"',
  '\\',
  '<html>',
  '"__proto__":{"a":1},',
  '"index":-1',
  '"index":1e9',
  '"content":[],',
  '"delta":null',
] as const;

const VALUES: readonly unknown[] = [
  null,
  {},
  [],
  '',
  'x',
  -1,
  0,
  0.5,
  1e15,
  7,
  '7',
  true,
  [null],
  [{}],
  { a: 1 },
  'stop',
  'STOP',
  '\ud800',
];

type Mutation = (text: string, chance: Chance) => string;

const MUTATIONS: readonly Mutation[] = [
  (text, chance) => {
    const start = chance.below(text.length);
    return text.slice(0, start) + text.slice(start + 1 + chance.below(20));
  },
  (text, chance) => {
    const start = chance.below(text.length);
    const piece = text.slice(start, start + 1 + chance.below(60));
    return text.slice(0, start) + piece + text.slice(start);
  },
  (text, chance) => {
    const at = chance.below(text.length);
    return text.slice(0, at) + chance.of(TOKENS) + text.slice(at);
  },
  (text, chance) => text.slice(0, chance.below(text.length)),
  (text, chance) => shuffled(text, chance),
  (text, chance) => withOddValue(text, chance),
  (text, chance) => withOddValue(text, chance),
  (text) => text,
];

/** Events change places, are left out, or come twice. */
function shuffled(text: string, chance: Chance): string {
  const events = text.split('\n\n');
  const at = chance.below(events.length);
  const [event = ''] = events.splice(at, 1);
  for (let times = chance.below(3); times > 0; times -= 1) {
    events.splice(chance.below(events.length + 1), 0, event);
  }
  return events.join('\n\n');
}

/** One value of one object becomes another, or goes. */
function withOddValue(text: string, chance: Chance): string {
  const starts = [...text.matchAll(/(?<=^|data: |\n)\{.*\}$/gm)];
  if (starts.length === 0) return text;
  const found = chance.of(starts);
  let value: unknown;
  try {
    value = JSON.parse(found[0]);
  } catch {
    return text;
  }
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  collect(value, places);
  if (places.length === 0) return text;
  const { holder, key } = chance.of(places);
  if (chance.below(4) === 0) Reflect.deleteProperty(holder, key);
  else holder[key] = chance.of(VALUES);
  const before = text.slice(0, found.index);
  return before + JSON.stringify(value) + text.slice(found.index + found[0].length);
}

function collect(value: unknown, places: { holder: Record<string, unknown>; key: string }[]): void {
  if (typeof value !== 'object' || value === null) return;
  const holder = value as Record<string, unknown>;
  for (const key of Object.keys(holder)) {
    places.push({ holder, key });
    collect(holder[key], places);
  }
}

/** A reply that is wrong in one to four places. */
export function mutate(text: string, chance: Chance): string {
  let mutated = text;
  for (let times = chance.below(4); times >= 0; times -= 1) {
    mutated = chance.of(MUTATIONS)(mutated, chance);
  }
  return mutated;
}

/** The bytes in packets of any size, cut anywhere. */
export function packets(bytes: Buffer, chance: Chance): Buffer[] {
  const found: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = start + 1 + chance.below(chance.below(2) === 0 ? 40 : bytes.length);
    found.push(bytes.subarray(start, end));
    start = end;
  }
  return found;
}
