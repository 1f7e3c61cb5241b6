import { randomUUID } from 'node:crypto';
import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { maskId } from '../../fields/mask-id.ts';
import { strip, type Shapes } from '../../fields/shape.ts';

/** The `object` of each kind of reply, with the prefix of its ids. */
const ID_PREFIXES = {
  'chat.completion': 'chatcmpl-',
  'chat.completion.chunk': 'chatcmpl-',
  text_completion: 'cmpl-',
} as const;

export type ReplyObject = keyof typeof ID_PREFIXES;

/**
 * OpenAI's fingerprint of a system, which says nothing by itself. Others have the name of the model
 * (LM Studio), of the program (`fp_ollama`) or its version (llama.cpp) there.
 */
const OPAQUE_FINGERPRINT = /^fp_(?!ollama)\w+$/;

/**
 * The members around a reply's choices as every tested SDK expects them: id, object, created and
 * the public model always there, in a stream the same on every chunk, no `error` key, and nothing
 * of whom the upstream has bought from.
 */
export class ReplyFrame {
  readonly #publicModel: string;
  readonly #object: ReplyObject;
  #id: string | undefined;
  #created: number | undefined;

  constructor(publicModel: string, object: ReplyObject) {
    this.#publicModel = publicModel;
    this.#object = object;
  }

  /** A chunk made here. */
  around(fields: OwnJsonObject): OwnJsonObject {
    return {
      id: this.#ownId(),
      object: this.#object,
      created: this.#ownCreated(),
      model: this.#publicModel,
      ...fields,
    };
  }

  /**
   * Takes out of a reply or chunk what is not known, and what says in a known field who serves it.
   * Returns whether there was any.
   */
  close(reply: OwnJsonObject, known: Shapes): boolean {
    let changed = strip(reply, known);
    const { system_fingerprint: fingerprint } = reply;
    if (typeof fingerprint === 'string' && !OPAQUE_FINGERPRINT.test(fingerprint)) {
      delete reply['system_fingerprint'];
      changed = true;
    }
    return changed;
  }

  /**
   * Adds the edits that a reply or chunk needs; its `error`, if there is one, is known to be null.
   */
  edit(reply: OwnJsonObject, edits: MemberEdit[]): void {
    const { id, created, model, object, provider, error } = reply;
    if (typeof id === 'string' && id !== '') this.#id ??= maskId(id, ID_PREFIXES[this.#object]);
    if (id !== this.#ownId()) edits.push({ name: 'id', value: JSON.stringify(this.#ownId()) });
    // JSON has numbers beyond all that are.
    if (typeof created === 'number' && Number.isFinite(created) && created > 0) {
      this.#created ??= created;
    } else edits.push({ name: 'created', value: String(this.#ownCreated()) });
    if (object !== this.#object) edits.push({ name: 'object', value: `"${this.#object}"` });
    // OpenRouter names whom it has bought from.
    if (provider !== undefined) edits.push({ name: 'provider', value: undefined });
    if (model !== this.#publicModel) {
      edits.push({ name: 'model', value: JSON.stringify(this.#publicModel) });
    }
    if (error !== undefined) edits.push({ name: 'error', value: undefined });
  }

  /** The reply's own id; made here when the upstream gives none. */
  #ownId(): string {
    this.#id ??= `${ID_PREFIXES[this.#object]}${randomUUID().replaceAll('-', '')}`;
    return this.#id;
  }

  #ownCreated(): number {
    this.#created ??= Math.floor(Date.now() / 1000);
    return this.#created;
  }
}
