import { createHmac } from 'node:crypto';
import type { Route } from '../catalog/catalog.ts';
import type { ChannelEntry } from '../catalog/snapshot.ts';
import { openId, sealId, type OpaqueIdKeys } from '../platform/secrets/opaque-id.ts';
import type { ParsedRequest, ReplyIds } from '../protocols/protocol.ts';

/** Where a reply is stored, as its id says. */
export interface StoredReply {
  readonly channelId: string;
  /** A digest of the credential that the reply was made with. */
  readonly credentialTag: string;
  /** The model that the client had asked for. */
  readonly publicModel: string;
  readonly upstreamId: string;
}

/** What a reply is stored with. */
interface Place {
  readonly accountId: string;
  readonly channel: ChannelEntry;
  readonly credential: string | null;
}

/** How a request is being served. */
interface Serving {
  readonly billing: { readonly accountId: string };
  readonly route: Route;
  readonly credential: string | null;
}

const PREFIX = 'resp_';
/** Upstreams' ids have up to 70 characters; those of gateways behind gateways some hundred. */
const CHARACTERS_MAX = 2_000;
const TAG_CHARACTERS = 11;

/**
 * Makes and reads the ids of replies that a channel stores. An id says itself where its reply is,
 * so that any gateway finds it, after a restart as well, without a store that has to be asked. It
 * is encrypted, and good for one account alone.
 */
export class StoredReplyIds {
  readonly #keys: readonly [OpaqueIdKeys, ...OpaqueIdKeys[]];

  /** @param keys the ones in force, then those before */
  constructor(keys: readonly [OpaqueIdKeys, ...OpaqueIdKeys[]]) {
    this.#keys = keys;
  }

  /** The ids of the reply to a request at a channel that stores; undefined where it must not. */
  idsFor(
    { storesReply, previousReply, model }: ParsedRequest,
    { billing, route, credential }: Serving,
  ): ReplyIds | undefined {
    if (storesReply !== true) return undefined;
    const { accountId } = billing;
    const place = { accountId, channel: route.channel, credential };
    const clientId = (upstreamId: string): string => this.#seal(upstreamId, model, place);
    return { clientId, previousId: previousReply };
  }

  /** The ids of replies that are stored where this one is. */
  idsBeside({ publicModel }: StoredReply, place: Place): ReplyIds {
    return { clientId: (upstreamId) => this.#seal(upstreamId, publicModel, place) };
  }

  /** Finds a reply of an account; undefined when it is not the account's, or no stored reply. */
  find(accountId: string, clientId: string): StoredReply | undefined {
    if (!clientId.startsWith(PREFIX) || clientId.length > CHARACTERS_MAX) return undefined;
    for (const keys of this.#keys) {
      const text = openId(keys, clientId.slice(PREFIX.length), accountId);
      if (text === undefined) continue;
      const [channelId = '', credentialTag = '', publicModel = '', ...rest] = text.split('\n');
      return { channelId, credentialTag, publicModel, upstreamId: rest.join('\n') };
    }
    return undefined;
  }

  /** The channel's credential that a reply was made with; undefined when it has it no more. */
  credentialOf(
    { credentialTag }: StoredReply,
    { credentials }: Pick<ChannelEntry, 'credentials'>,
  ): string | null | undefined {
    const candidates = credentials.length === 0 ? [null] : credentials;
    return candidates.find((credential) =>
      this.#keys.some((keys) => tagOf(keys, credential) === credentialTag),
    );
  }

  #seal(upstreamId: string, model: string, { accountId, channel, credential }: Place): string {
    const [keys] = this.#keys;
    const text = [channel.id, tagOf(keys, credential), model, upstreamId].join('\n');
    return PREFIX + sealId(keys, text, accountId);
  }
}

function tagOf({ mac }: OpaqueIdKeys, credential: string | null): string {
  const digest = createHmac('sha256', mac).update(`credential\n${credential ?? ''}`);
  return digest.digest('base64url').slice(0, TAG_CHARACTERS);
}
