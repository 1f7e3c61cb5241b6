import { isOwnJsonObject, type OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { ReplyIds } from '../../stored-replies.ts';

/** Ids that mean one item and nothing else, wherever they are. */
const ITEM_ID = /^[a-z]+_[\w-]{1,200}$/;
const BACKSLASH = 0x5c;

/**
 * Puts the names under which a client can refer to items again into what an upstream says of them.
 * An id is a string of its own wherever it is: in a text of the model its quotes are escaped.
 */
export class ItemNames {
  readonly #ids: Pick<ReplyIds, 'itemId'>;
  readonly #names = new Map<string, string>();

  constructor(ids: Pick<ReplyIds, 'itemId'>) {
    this.#ids = ids;
  }

  /** Learns of an item; of other values nothing. */
  note(item: unknown): void {
    if (!isOwnJsonObject(item)) return;
    const { id, call_id: callId } = item;
    // Results of calls have the call's id, which must stay.
    if (typeof id !== 'string' || id === callId || this.#names.has(id)) return;
    if (ITEM_ID.test(id)) this.#names.set(id, this.#ids.itemId(id));
  }

  noteAll(items: unknown): void {
    if (Array.isArray(items)) for (const item of items) this.note(item);
  }

  /** Learns of the items in an event, or in a whole response. */
  noteEvent({ item, output, response }: OwnJsonObject): void {
    this.note(item);
    this.noteAll(output);
    if (isOwnJsonObject(response)) this.noteAll(response['output']);
  }

  /** Learns of the items in an event or a response, and returns its JSON under their names. */
  renameEvent(json: Buffer, event: OwnJsonObject | undefined): Buffer {
    if (event !== undefined) this.noteEvent(event);
    return this.rename(json);
  }

  /** The JSON under the names of the items that are known; the same buffer if none is in it. */
  rename(json: Buffer): Buffer {
    let renamed = json;
    for (const [id, name] of this.#names) renamed = replaceString(renamed, id, name);
    return renamed;
  }
}

function replaceString(json: Buffer, from: string, to: string): Buffer {
  const quoted = `"${from}"`;
  const pieces: Buffer[] = [];
  let start = 0;
  for (let at = json.indexOf(quoted); at !== -1; at = json.indexOf(quoted, at + quoted.length)) {
    if (json[at - 1] === BACKSLASH) continue;
    pieces.push(json.subarray(start, at), Buffer.from(`"${to}"`));
    start = at + quoted.length;
  }
  return pieces.length === 0 ? json : Buffer.concat([...pieces, json.subarray(start)]);
}
