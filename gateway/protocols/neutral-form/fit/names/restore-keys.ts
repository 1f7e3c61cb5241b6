import type { EventReader } from '../../neutral-form.ts';
import type { NeutralEvent } from '../../reply.ts';
import type { Restoration } from '../fitted-request.ts';
import { KeyRenamer } from './key-renamer.ts';

/**
 * Returns a reader whose JSON texts have the client's names of properties. It reads the upstream's
 * names of tools.
 */
export function restoreKeys(reader: EventReader, restoration: Restoration): EventReader {
  const { propertyNames, formatPropertyNames } = restoration;
  if (propertyNames === undefined && formatPropertyNames === undefined) return reader;
  const keys = new RestoredKeys(restoration);
  return {
    read: (name, data) => keys.restore(reader.read(name, data)),
    close: () => keys.restore(reader.close()),
  };
}

class RestoredKeys {
  readonly #restoration: Restoration;
  readonly #text: KeyRenamer | undefined;
  /** By the numbers of their calls. */
  readonly #inputs = new Map<number, KeyRenamer>();

  constructor(restoration: Restoration) {
    this.#restoration = restoration;
    const { formatPropertyNames: names } = restoration;
    this.#text = names && new KeyRenamer(names);
  }

  restore(events: readonly NeutralEvent[]): readonly NeutralEvent[] {
    return events.flatMap((event) => this.#event(event));
  }

  #event(event: NeutralEvent): readonly NeutralEvent[] {
    switch (event.type) {
      case 'text':
        return this.#text === undefined
          ? [event]
          : [{ ...event, text: this.#text.push(event.text) }];
      case 'tool_call': {
        const name = this.#restoration.toolNames?.get(event.name) ?? event.name;
        const names = event.freeForm ? undefined : this.#restoration.propertyNames?.get(name);
        if (names !== undefined) this.#inputs.set(event.index, new KeyRenamer(names));
        return [event];
      }
      case 'tool_input': {
        const keys = this.#inputs.get(event.index);
        return keys === undefined ? [event] : [{ ...event, text: keys.push(event.text) }];
      }
      case 'end':
        return [...this.#rest(), event];
      default:
        return [event];
    }
  }

  /** Returns the text held back of keys that were never completed. */
  #rest(): NeutralEvent[] {
    const text = this.#text?.end() ?? '';
    const rest: NeutralEvent[] = text === '' ? [] : [{ type: 'text', text }];
    for (const [index, keys] of this.#inputs) {
      const input = keys.end();
      if (input !== '') rest.push({ type: 'tool_input', index, text: input });
    }
    return rest;
  }
}
