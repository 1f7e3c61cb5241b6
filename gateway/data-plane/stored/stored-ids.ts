import { createHmac } from 'node:crypto';
import type { Route } from '../../catalog/catalog.ts';
import type { ChannelEntry } from '../../catalog/snapshot.ts';
import { openId, sealId, type OpaqueIdKeys } from '../../platform/secrets/opaque-id.ts';
import { isOwnId, signId } from '../../platform/secrets/signed-id.ts';
import type { ParsedRequest, StoredKind } from '../../protocols/protocol.ts';
import type { ReplyIds, StoredReplies } from '../../protocols/stored-replies.ts';

/** The place of a stored object, as its id names it. */
export interface Stored {
  readonly channelId: string;
  /** A digest of the credential that it was made with. */
  readonly credentialTag: string;
  /** The model that the client had asked for; '' of conversations. */
  readonly publicModel: string;
  readonly upstreamId: string;
}

/** The place where an account's objects are stored. */
export interface ReplyStorage {
  readonly accountId: string;
  readonly channel: Pick<ChannelEntry, 'id'>;
  readonly credential: string | null;
}

/** The account and route of a request that is being served. */
interface Serving {
  readonly billing: { readonly accountId: string };
  readonly route: Route;
  readonly credential: string | null;
}

/** The form of ids that a protocol's clients expect. */
type IdForm = Pick<StoredReplies, 'idPrefixes'>;

/** An id that a client has sent. */
interface SentId {
  readonly kind: StoredKind;
  readonly accountId: string;
  readonly clientId: string;
}

/** Upstreams' ids have up to 70 characters; those of gateways behind gateways some hundred. */
const CHARACTERS_MAX = 2_000;
const TAG_CHARACTERS = 11;

/**
 * Makes and reads the ids of what a channel stores. The id of a reply or a conversation says itself
 * where that is, so that any gateway finds it, after a restart as well, without a store that has to
 * be asked. It is encrypted, and good for one account alone. Items are named in every event of a
 * stream: theirs is the upstream's id with a signature.
 */
export class StoredIds {
  readonly #keys: readonly [OpaqueIdKeys, ...OpaqueIdKeys[]];

  /** @param keys the ones in force, then those before */
  constructor(keys: readonly [OpaqueIdKeys, ...OpaqueIdKeys[]]) {
    this.#keys = keys;
  }

  /** The ids of the reply to a request at a channel that stores; undefined where it must not. */
  idsFor(
    { storesReply, refersTo, model }: ParsedRequest,
    { billing, route, credential }: Serving,
    form: IdForm,
  ): ReplyIds | undefined {
    if (storesReply !== true && refersTo === undefined) return undefined;
    const { accountId } = billing;
    const previous = refersTo?.find(({ kind }) => kind === 'reply');
    const ids = this.idsAt({ accountId, channel: route.channel, credential }, model, form);
    return { ...ids, previousId: previous?.clientId };
  }

  /** @param publicModel of the replies there */
  idsAt(storage: ReplyStorage, publicModel: string, { idPrefixes }: IdForm): ReplyIds {
    const [keys] = this.#keys;
    return {
      clientId: (upstreamId) =>
        idPrefixes.reply + this.#seal('reply', { upstreamId, publicModel }, storage),
      conversationId: (upstreamId) =>
        idPrefixes.conversation +
        this.#seal('conversation', { upstreamId, publicModel: '' }, storage),
      itemId: (upstreamId) => signId(keys, upstreamId, itemOwner(storage)),
    };
  }

  /** Reports whether an item got its id from `idsAt` this storage. */
  hasItem(storage: ReplyStorage, clientId: string): boolean {
    if (clientId.length > CHARACTERS_MAX) return false;
    const owner = itemOwner(storage);
    return this.#keys.some((keys) => isOwnId(keys, clientId, owner));
  }

  /** Finds what an account has stored; undefined when it is not the account's, or no such id. */
  find({ kind, accountId, clientId }: SentId, { idPrefixes }: IdForm): Stored | undefined {
    const prefix = idPrefixes[kind];
    if (!clientId.startsWith(prefix) || clientId.length > CHARACTERS_MAX) return undefined;
    for (const keys of this.#keys) {
      const text = openId(keys, clientId.slice(prefix.length), ownerOf(kind, accountId));
      if (text === undefined) continue;
      const [channelId = '', credentialTag = '', publicModel = '', ...rest] = text.split('\n');
      return { channelId, credentialTag, publicModel, upstreamId: rest.join('\n') };
    }
    return undefined;
  }

  /** The channel's credential that it was made with; undefined when it has it no more. */
  credentialOf(
    { credentialTag }: Stored,
    { credentials }: Pick<ChannelEntry, 'credentials'>,
  ): string | null | undefined {
    const candidates = credentials.length === 0 ? [null] : credentials;
    return candidates.find((credential) =>
      this.#keys.some((keys) => tagOf(keys, credential) === credentialTag),
    );
  }

  #seal(
    kind: StoredKind,
    { upstreamId, publicModel }: Pick<Stored, 'upstreamId' | 'publicModel'>,
    { accountId, channel, credential }: ReplyStorage,
  ): string {
    const [keys] = this.#keys;
    const text = [channel.id, tagOf(keys, credential), publicModel, upstreamId].join('\n');
    return sealId(keys, text, ownerOf(kind, accountId));
  }
}

/** The id of a reply is none of a conversation. */
function ownerOf(kind: StoredKind, accountId: string): string {
  return kind === 'reply' ? accountId : `${kind} ${accountId}`;
}

function itemOwner({ accountId, channel, credential }: ReplyStorage): string {
  return ['item', accountId, channel.id, credential ?? ''].join('\n');
}

function tagOf({ mac }: OpaqueIdKeys, credential: string | null): string {
  const digest = createHmac('sha256', mac).update(`credential\n${credential ?? ''}`);
  return digest.digest('base64url').slice(0, TAG_CHARACTERS);
}
