/** The access of a protocol's clients to the objects that an upstream stores. */
import type { FieldPolicy } from '@weir/shared/catalog/channels';
import type { Refusal } from '../platform/errors/refusal.ts';
import type { StoredKind } from './endpoint.ts';
import type { RequestLimits } from './protocol.ts';

/** Something stored that a request refers to. */
export interface StoredReference {
  readonly kind: StoredKind | 'item';
  /** The id that the client uses. */
  readonly clientId: string;
  /** The field that names it. */
  readonly param: string;
  /** The request is served without it where it is not stored. */
  readonly optional: boolean;
}

/** The stored objects that a request continues, at the upstream that has them. */
export interface StoredThings {
  /** The upstream's ids. */
  readonly reply?: string | undefined;
  readonly conversation?: string | undefined;
  /** Ids of items as the client names them. */
  readonly items: ReadonlySet<string>;
}

export interface StoredReplies {
  /** The prefixes of ids. */
  readonly idPrefixes: Readonly<Record<StoredKind, string>>;
  /** Refuses a reference: it is unknown, or what stores it is not used any more. */
  refuseReference(reference: StoredReference, why: 'unknown' | 'gone'): Refusal;
  /** Refuses to show what is not there, for whatever reason. */
  refuseUnknown(kind: StoredKind, clientId: string): Refusal;
  /** Refuses to make a conversation where no upstream stores any. */
  refuseConversations(): Refusal;
  /** The query that an upstream gets, with its "?"; '' for none. */
  encodeQuery(query: string): string | Refusal;
  /** The body that makes or changes something, as an upstream gets it. */
  encodeBody(body: Buffer, limits: RequestLimits): Buffer | Refusal;
  /**
   * Returns an upstream's reply about a stored object with the ids that the client knows; undefined
   * when it is no JSON object.
   */
  rename(kind: StoredKind, body: Buffer, names: StoredNames): Buffer | undefined;
}

/** The client's ids of a stored object. */
export interface StoredNames {
  readonly clientId: string;
  /** '' of conversations. */
  readonly publicModel: string;
  /** The ids of other objects stored there. */
  readonly ids: ReplyIds;
  /** The channel's. */
  readonly fieldPolicy: FieldPolicy;
}

/** Translates the upstream's ids of stored objects into those that clients use. */
export interface ReplyIds {
  /** The id under which the client, and no other account, can refer to a reply again. */
  clientId(upstreamId: string): string;
  readonly conversationId: (upstreamId: string) => string;
  itemId(upstreamId: string): string;
  /** The client's id of the reply before this one. */
  readonly previousId?: string | undefined;
}
