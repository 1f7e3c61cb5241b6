import { randomUUID } from 'node:crypto';
import { isOwnJsonObject, type OwnJsonObject } from '../../json/json-value.ts';
import type { DeliveredOutput } from './delivered-output.ts';

interface ToolCall {
  readonly id: string;
  readonly takesArguments: boolean;
  argumentsSeen: boolean;
}

/** What normalising did. */
export interface ToolChange {
  /** The fragments differ from what came. */
  changed: boolean;
  /** A call began: the next fragment of this shape is not treated alike. */
  began: boolean;
  /** The arguments' text of the last fragment that has any. */
  text: string;
}

/**
 * The tool calls of one choice while they stream in fragments. SDKs put fragments together by index and
 * join every string they find, so: indexes start at 0 without gaps, id, type and name come with the first
 * fragment and never again.
 */
export class ToolCalls {
  readonly #calls: ToolCall[] = [];
  readonly #positions = new Map<number, number>();

  get any(): boolean {
    return this.#calls.length > 0;
  }

  /** Brings fragments into shape in place, and counts names and arguments as output. */
  normalise(fragments: readonly unknown[], output: DeliveredOutput): ToolChange {
    const change: ToolChange = { changed: false, began: false, text: '' };
    for (const fragment of fragments) {
      if (isOwnJsonObject(fragment)) this.#normaliseOne(fragment, output, change);
    }
    return change;
  }

  /** Fragments for calls that ended without arguments: clients parse the arguments, and "" is not JSON. */
  missingArguments(): OwnJsonObject[] {
    const fragments: OwnJsonObject[] = [];
    this.#calls.forEach((call, index) => {
      if (call.argumentsSeen || !call.takesArguments) return;
      call.argumentsSeen = true;
      fragments.push({ index, function: { arguments: '{}' } });
    });
    return fragments;
  }

  #normaliseOne(fragment: OwnJsonObject, output: DeliveredOutput, change: ToolChange): void {
    const called = isOwnJsonObject(fragment['function']) ? fragment['function'] : undefined;
    const known = this.#find(fragment, called);
    const position = known ?? this.#begin(fragment, called, change);
    if (known === undefined && typeof called?.['name'] === 'string') output.add(called['name']);
    if (fragment['index'] !== position) {
      fragment['index'] = position;
      change.changed = true;
    }
    if (known !== undefined && dropRepeated(fragment, called)) change.changed = true;
    if (called === undefined) return;
    const given = called['arguments'];
    if (isOwnJsonObject(given)) {
      called['arguments'] = JSON.stringify(given);
      change.changed = true;
    }
    const text = called['arguments'];
    if (typeof text !== 'string' || text === '') return;
    const call = this.#calls[position];
    if (call !== undefined) call.argumentsSeen = true;
    change.text = text;
    output.add(text);
  }

  /** The position of the call a fragment continues, undefined when it begins one. */
  #find(fragment: OwnJsonObject, called: OwnJsonObject | undefined): number | undefined {
    const { id, index } = fragment;
    const named = typeof called?.['name'] === 'string' && called['name'] !== '';
    const sameId = typeof id === 'string' ? this.#calls.findIndex((call) => call.id === id) : -1;
    if (sameId !== -1) return sameId;
    // Some servers give every call index 0, some give every fragment an id of its own: a new call has both an id that is new and a name.
    const begins = named && typeof id === 'string' && id !== '';
    if (begins) return undefined;
    if (typeof index === 'number') return this.#positions.get(index);
    return named || !this.any ? undefined : this.#calls.length - 1;
  }

  #begin(fragment: OwnJsonObject, called: OwnJsonObject | undefined, change: ToolChange): number {
    const { id, type, index } = fragment;
    const position = this.#calls.length;
    const givenId = typeof id === 'string' && id !== '' ? id : undefined;
    if (givenId === undefined) {
      fragment['id'] = `call_${randomUUID().replaceAll('-', '')}`;
      change.changed = true;
    }
    if (typeof type !== 'string' || type === '') {
      fragment['type'] = 'function';
      change.changed = true;
    }
    this.#calls.push({
      id: givenId ?? String(fragment['id']),
      takesArguments: called !== undefined,
      argumentsSeen: false,
    });
    if (typeof index === 'number') this.#positions.set(index, position);
    change.began = true;
    return position;
  }
}

function dropRepeated(fragment: OwnJsonObject, called: OwnJsonObject | undefined): boolean {
  let dropped = false;
  if (fragment['id'] !== undefined) {
    delete fragment['id'];
    dropped = true;
  }
  if (called?.['name'] !== undefined) {
    delete called['name'];
    dropped = true;
  }
  return dropped;
}
