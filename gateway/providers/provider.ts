import type { ChannelView } from '@weir/shared/channels';
import type {
  FailureFinder,
  MessagesVariant,
  Operation,
  ProtocolId,
  StoredKind,
} from '../protocols/protocol.ts';
import type { Minting } from './minting.ts';
import type { Verdict } from './verdict.ts';

/** The kind of a channel, as the catalog names it. */
export type ProviderKind = ChannelView['kind'];

/**
 * What an upstream is: where its endpoints are, how it wants its credential, what its errors mean.
 */
export interface Provider {
  /** The protocols that it can be spoken to in, the best first. */
  readonly speaks: readonly ProtocolId[];
  /**
   * The same for one model, where a vendor serves its models in different protocols at one address;
   * `speaks` when absent.
   */
  speaksTo?(upstreamModel: string, baseUrl: string): readonly ProtocolId[];
  /** Those that a channel of this kind may be set to instead; `speaks` when absent. */
  readonly maySpeak?: readonly ProtocolId[];
  /**
   * The path of an endpoint behind the channel's base address, with a leading slash.
   * @param baseUrl the channel's base address, without a trailing slash: how much of the path it
   *   has
   *   already is up to the operator
   */
  path(protocol: ProtocolId, operation: Operation, upstreamModel: string, baseUrl: string): string;
  /** The same for a reply that is streamed, where that is another path. */
  streamPath?(protocol: ProtocolId, upstreamModel: string, baseUrl: string): string;
  /**
   * The path of the counter of a prompt's tokens; undefined where there is none for the protocol.
   */
  countPath?(protocol: ProtocolId, upstreamModel: string, baseUrl: string): string | undefined;
  /** The path of what it stores; absent: it stores nothing that clients can refer to. */
  storedPath?(kind: StoredKind, baseUrl: string): string;
  /**
   * How requests of a protocol differ there from its vendor's own; undefined or absent: not at all.
   */
  messagesVariant?(protocol: ProtocolId, operation: Operation): MessagesVariant | undefined;
  /** Credentials that are exchanged before they are sent; absent: there are none. */
  readonly minting?: Minting;
  /** Names and values in turn of the headers that carry a credential, or what was minted of it. */
  credentialHeaders(credential: string): readonly string[];
  /** The upstream's own list of models. */
  readonly models: {
    /** The base address of the list, where it is not the channel's. */
    baseUrl?(baseUrl: string): string;
    /** Behind the channel's base address, as in `path` above. */
    path(baseUrl: string): string;
    /** Names and values in turn of headers that the list needs. */
    headers?(baseUrl: string): readonly string[];
    /** Their names; undefined when the reply is no such list. */
    names(reply: unknown): readonly string[] | undefined;
  };
  /** Finds an error that is reported in a place of the vendor's own. */
  readonly findFailure: FailureFinder;
  /**
   * Judges a status other than 2xx.
   * @param retryAfterMs what the upstream's Retry-After says; null when it has none
   * @param body the error body as far as it was read
   */
  classifyError(status: number, retryAfterMs: number | null, body: Buffer): Verdict;
  /** Whether an error says that something stored is not there any more. */
  lacksStored?(status: number, body: Buffer): boolean;
  /** Judges a body under a 2xx that is no reply of the protocol, such as an error. */
  classifyReply(body: Buffer): Verdict;
}
