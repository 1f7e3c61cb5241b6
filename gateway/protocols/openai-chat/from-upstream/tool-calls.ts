import {
  isOwnJsonObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import type { DeliveredOutput } from '../../sse/delivered-output.ts';
import {
  calleeOf,
  identifyCall,
  stringifyArguments,
  toolTextKey,
  type ToolTextKey,
} from './tool-call.ts';

interface ToolCall {
  /** As the upstream gave it, '' when it gave none. */
  readonly id: string;
  /** The upstream's index, the position where it gave none. */
  readonly index: number;
  /** The index that the client knows. */
  readonly position: number;
  /** It calls a function, not a custom tool. */
  readonly takesArguments: boolean;
  /**
   * Arguments or input of the first fragment: when they are complete, named ones behind them are
   * another call's.
   */
  readonly firstText: string;
  /** '' until the client has got it. */
  name: string;
  textSeen: boolean;
  /** True if the second fragment repeated the name; undefined until it came. */
  repeatsName: boolean | undefined;
}

/** The result of normalising. */
export interface ToolChange {
  /** The fragments differ from what came. */
  changed: boolean;
  /** A call began or got its name: the next fragment of this shape is not treated alike. */
  began: boolean;
  /** The arguments or the input of the last fragment that has any. */
  text: string;
  textKey: ToolTextKey;
}

/**
 * The tool calls of one choice while they stream in fragments. SDKs put fragments together by index
 * and join every string they find, so: indexes start at 0 without gaps, id, type and name come with
 * the first fragment and never again, and no two calls have the same id.
 */
export class ToolCalls {
  readonly #calls: ToolCall[] = [];
  /** By index: the ids that came before the names of their calls. */
  readonly #announcedIds = new Map<unknown, string>();

  get any(): boolean {
    return this.#calls.length > 0;
  }

  /**
   * Brings fragments into shape in place, and counts names, arguments and inputs as output. Those
   * that only announce a call are taken out: some SDKs fail on a first fragment without a name, so
   * the id waits for it here.
   */
  normalise(fragments: unknown[], output: DeliveredOutput): ToolChange {
    const change: ToolChange = { changed: false, began: false, text: '', textKey: 'arguments' };
    let at = 0;
    while (at < fragments.length) {
      const fragment = fragments[at];
      if (isOwnJsonObject(fragment) && !this.#normaliseOne(fragment, output, change)) {
        fragments.splice(at, 1);
      } else at += 1;
    }
    return change;
  }

  /**
   * Fragments for calls that ended without arguments: clients parse the arguments, and "" is not
   * JSON.
   */
  missingArguments(): OwnJsonObject[] {
    const bare = this.#calls.filter((call) => !call.textSeen && call.takesArguments);
    return bare.map((call) => {
      call.textSeen = true;
      return { index: call.position, function: { arguments: '{}' } };
    });
  }

  /** Returns whether the client gets the fragment. */
  #normaliseOne(fragment: OwnJsonObject, output: DeliveredOutput, change: ToolChange): boolean {
    const called = calleeOf(fragment);
    const textKey = toolTextKey(fragment);
    if (called !== undefined && stringifyArguments(called, textKey)) change.changed = true;
    const name = stringOf(called?.['name']);
    const said = stringOf(called?.[textKey]);
    const known = this.#find(fragment, name, said);
    if (known === undefined && name === '' && said === '' && this.#announces(fragment, called)) {
      change.changed = true;
      return false;
    }
    if (known !== undefined && dropRepeated(known, fragment, called)) change.changed = true;
    const call = known ?? this.#begin(fragment, said, change);
    if (fragment['index'] !== call.position) {
      fragment['index'] = call.position;
      change.changed = true;
    }
    if (call.name === '' && name !== '') {
      call.name = name;
      change.began = true;
      output.add(name);
    }
    const text = stringOf(called?.[textKey]);
    if (text === '') return true;
    call.textSeen = true;
    change.text = text;
    change.textKey = textKey;
    output.add(text);
    return true;
  }

  /**
   * The call a fragment continues, undefined when it begins one. The index says so, but some
   * servers give every call index 0 or none, some give every call the same id, and some give every
   * fragment an id of its own. Fragments are recognised by their bytes once two of a call have been
   * read, so nothing that comes later may count.
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
    const repeated = same !== undefined && text === call.firstText;
    if (text !== '' && !repeated && isWhole(call.firstText)) return undefined;
    if (same !== undefined) return call;
    // Without an id, the name of a call that has gone on without it can only begin the next.
    return id === '' && index !== undefined && call.repeatsName !== false ? call : undefined;
  }

  /**
   * Keeps the id of a fragment without name and text, if it is of a call at all. Returns whether it
   * is.
   */
  #announces(fragment: OwnJsonObject, called: OwnJsonObject | undefined): boolean {
    const { type } = fragment;
    if (called === undefined && type !== 'function' && type !== 'custom') return false;
    const id = stringOf(fragment['id']);
    if (id !== '') this.#announcedIds.set(fragment['index'], id);
    return true;
  }

  #begin(fragment: OwnJsonObject, firstText: string, change: ToolChange): ToolCall {
    const { index } = fragment;
    const position = this.#calls.length;
    const id = stringOf(fragment['id']) || (this.#announcedIds.get(index) ?? '');
    const taken = this.#calls.some((call) => call.id === id);
    if (identifyCall(fragment, id, taken)) change.changed = true;
    const call: ToolCall = {
      id,
      index: typeof index === 'number' ? index : position,
      position,
      takesArguments: isOwnJsonObject(fragment['function']),
      firstText,
      name: '',
      textSeen: false,
      repeatsName: undefined,
    };
    this.#calls.push(call);
    change.began = true;
    return call;
  }
}

/** Takes off what the client has got already. Returns whether there was any. */
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
  const textKey = toolTextKey(fragment);
  const text = stringOf(called[textKey]);
  const wholeCall = name !== '' && text === call.firstText && isWhole(text);
  if (wholeCall && drop(called, textKey)) dropped = true;
  if (call.name !== '' && drop(called, 'name')) dropped = true;
  return dropped;
}

function drop(object: OwnJsonObject, key: string): boolean {
  if (object[key] === undefined) return false;
  Reflect.deleteProperty(object, key);
  return true;
}

/** Reports whether arguments, or an input in JSON, are complete: one object. */
function isWhole(text: string): boolean {
  if (!text.endsWith('}')) return false;
  try {
    return isOwnJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}
