import {
  isOwnJsonObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { maskId } from '../../fields/mask-id.ts';
import type { ReplyIds } from '../../stored-replies.ts';
import type { BegunReply } from '../../stream-reader.ts';
import { newResponseId } from '../to-client/render-error.ts';
import { namesOf, type ResponseNames } from '../from-upstream/response-edits.ts';

/** The ids of a streamed response for the client. */
export class ResponseIdentity {
  readonly publicModel: string;
  /** The part of it that the client got before it began; null: none. */
  begun: BegunReply | null = null;
  readonly #ids: ReplyIds | undefined;
  #id = '';
  #createdAtSeconds = 0;

  constructor(publicModel: string, ids: ReplyIds | undefined) {
    this.publicModel = publicModel;
    this.#ids = ids;
  }

  /** Made here when the upstream has named none. */
  get id(): string {
    if (this.begun !== null) return this.begun.id;
    if (this.#id === '') this.#id = newResponseId();
    return this.#id;
  }

  get createdAtSeconds(): number {
    if (this.begun !== null) return this.begun.createdAtSeconds;
    return this.#createdAtSeconds || Math.floor(Date.now() / 1000);
  }

  /** Learns what the upstream says of it. */
  note(response: unknown): void {
    if (!isOwnJsonObject(response)) return;
    const { id, created_at: created } = response;
    if (typeof id === 'string' && id !== '')
      this.#id = this.#ids?.clientId(id) ?? maskId(id, 'resp_');
    // JSON has numbers beyond all that are.
    if (Number.isFinite(created)) this.#createdAtSeconds = Number(created);
  }

  names(response: OwnJsonObject): ResponseNames {
    const { publicModel, begun } = this;
    if (begun !== null) return { publicModel, id: begun.id };
    return namesOf(stringOf(response['id']), publicModel, this.#ids);
  }
}
