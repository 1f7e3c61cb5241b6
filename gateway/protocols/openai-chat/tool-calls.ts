import { randomUUID } from 'node:crypto';
import { isOwnJsonObject, type OwnJsonObject } from '../../json/json-value.ts';
import type { DeliveredOutput } from './delivered-output.ts';

interface ToolCall {
  /** As the upstream gave it, '' when it gave none. */
  readonly id: string;
  /** The upstream's index, the position where it gave none. */
  readonly index: number;
  /** The index that the client knows. */
  readonly position: number;
  readonly takesArguments: boolean;
  /** Arguments of the first fragment: when they are complete, named ones behind them are another call's. */
  readonly firstArguments: string;
  /** '' until the client has got it. */
  name: string;
  argumentsSeen: boolean;
  /** Whether the second fragment was named again, undefined until it came. */
  repeatsName: boolean | undefined;
}

/** What normalising did. */
export interface ToolChange {
  /** The fragments differ from what came. */
  changed: boolean;
  /** A call began or got its name: the next fragment of this shape is not treated alike. */
  began: boolean;
  /** The arguments' text of the last fragment that has any. */
  text: string;
}

/**
 * The tool calls of one choice while they stream in fragments. SDKs put fragments together by index and
 * join every string they find, so: indexes start at 0 without gaps, id, type and name come with the first
 * fragment and never again, and no two calls have the same id.
 */
export class ToolCalls {
  readonly #calls: ToolCall[] = [];
  /** By index: the ids that came before the names of their calls. */
  readonly #announcedIds = new Map<unknown, string>();

  get any(): boolean {
    return this.#calls.length > 0;
  }

  /**
   * Brings fragments into shape in place, and counts names and arguments as output. Those that only announce a
   * call are taken out: some SDKs fail on a first fragment without a name, so the id waits for it here.
   */
  normalise(fragments: unknown[], output: DeliveredOutput): ToolChange {
    const change: ToolChange = { changed: false, began: false, text: '' };
    let at = 0;
    while (at < fragments.length) {
      const fragment = fragments[at];
      if (isOwnJsonObject(fragment) && !this.#normaliseOne(fragment, output, change)) {
        fragments.splice(at, 1);
      } else at += 1;
    }
    return change;
  }

  /** Fragments for calls that ended without arguments: clients parse the arguments, and "" is not JSON. */
  missingArguments(): OwnJsonObject[] {
    const fragments: OwnJsonObject[] = [];
    for (const call of this.#calls) {
      if (call.argumentsSeen || !call.takesArguments) continue;
      call.argumentsSeen = true;
      fragments.push({ index: call.position, function: { arguments: '{}' } });
    }
    return fragments;
  }

  /** Answers whether the client gets the fragment. */
  #normaliseOne(fragment: OwnJsonObject, output: DeliveredOutput, change: ToolChange): boolean {
    const called = isOwnJsonObject(fragment['function']) ? fragment['function'] : undefined;
    if (called !== undefined && isOwnJsonObject(called['arguments'])) {
      called['arguments'] = JSON.stringify(called['arguments']);
      change.changed = true;
    }
    const name = stringOf(called?.['name']);
    const known = this.#find(fragment, name, stringOf(called?.['arguments']));
    if (known === undefined && this.#announces(fragment, called)) {
      change.changed = true;
      return false;
    }
    if (known !== undefined && dropRepeated(known, fragment, called)) change.changed = true;
    const call = known ?? this.#begin(fragment, called, change);
    if (fragment['index'] !== call.position) {
      fragment['index'] = call.position;
      change.changed = true;
    }
    if (call.name === '' && name !== '') {
      call.name = name;
      change.began = true;
      output.add(name);
    }
    const text = stringOf(called?.['arguments']);
    if (text === '') return true;
    call.argumentsSeen = true;
    change.text = text;
    output.add(text);
    return true;
  }

  /**
   * The call a fragment continues, undefined when it begins one. The index tells, but some servers give every
   * call index 0 or none, some give every call the same id, and some give every fragment an id of its own.
   * Fragments are recognised by their bytes once two of a call have been read, so nothing that comes later
   * may count.
   */
  #find(fragment: OwnJsonObject, name: string, text: string): ToolCall | undefined {
    const id = stringOf(fragment['id']);
    const index = typeof fragment['index'] === 'number' ? fragment['index'] : undefined;
    const ofId = id === '' ? [] : this.#calls.filter((call) => call.id === id);
    const same = ofId.findLast((call) => index === undefined || call.index === index);
    const call =
      same ??
      (index === undefined
        ? this.#calls.at(-1)
        : this.#calls.findLast((other) => other.index === index));
    if (name === '') return call ?? ofId.at(-1);
    if (call === undefined || call.name === '') return call;
    if (call.name !== name) return undefined;
    const repeated = same !== undefined && text === call.firstArguments;
    if (text !== '' && !repeated && isWhole(call.firstArguments)) return undefined;
    if (same !== undefined) return call;
    // Without an id, the name of a call that has gone on without it can only begin the next.
    return id === '' && index !== undefined && call.repeatsName !== false ? call : undefined;
  }

  /** Keeps the id of a fragment that has neither name nor arguments yet. Answers whether it is such a one. */
  #announces(fragment: OwnJsonObject, called: OwnJsonObject | undefined): boolean {
    if (called === undefined && fragment['type'] !== 'function') return false;
    if (stringOf(called?.['name']) !== '' || stringOf(called?.['arguments']) !== '') return false;
    const id = stringOf(fragment['id']);
    if (id !== '') this.#announcedIds.set(fragment['index'], id);
    return true;
  }

  #begin(fragment: OwnJsonObject, called: OwnJsonObject | undefined, change: ToolChange): ToolCall {
    const { type, index } = fragment;
    const position = this.#calls.length;
    const id = stringOf(fragment['id']) || (this.#announcedIds.get(index) ?? '');
    const unclear = id === '' || this.#calls.some((call) => call.id === id);
    const sentId = unclear ? `call_${randomUUID().replaceAll('-', '')}` : id;
    if (fragment['id'] !== sentId) {
      fragment['id'] = sentId;
      change.changed = true;
    }
    if (typeof type !== 'string' || type === '') {
      fragment['type'] = 'function';
      change.changed = true;
    }
    const call: ToolCall = {
      id,
      index: typeof index === 'number' ? index : position,
      position,
      takesArguments: called !== undefined,
      firstArguments: stringOf(called?.['arguments']),
      name: '',
      argumentsSeen: false,
      repeatsName: undefined,
    };
    this.#calls.push(call);
    change.began = true;
    return call;
  }
}

/** Takes off what the client has got already. Answers whether there was any. */
function dropRepeated(
  call: ToolCall,
  fragment: OwnJsonObject,
  called: OwnJsonObject | undefined,
): boolean {
  const name = stringOf(called?.['name']);
  call.repeatsName ??= name !== '';
  let dropped = drop(fragment, 'id');
  if (drop(fragment, 'type')) dropped = true;
  if (called === undefined) return dropped;
  const text = stringOf(called['arguments']);
  const wholeCall = name !== '' && text === call.firstArguments && isWhole(text);
  if (wholeCall && drop(called, 'arguments')) dropped = true;
  if (call.name !== '' && drop(called, 'name')) dropped = true;
  return dropped;
}

function drop(object: OwnJsonObject, key: string): boolean {
  if (object[key] === undefined) return false;
  Reflect.deleteProperty(object, key);
  return true;
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Whether arguments are complete: one JSON object. */
function isWhole(text: string): boolean {
  if (!text.endsWith('}')) return false;
  try {
    return isOwnJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}
