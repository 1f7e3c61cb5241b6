import type { ChannelView } from '@weir/shared/catalog/channels';
import type { Envelope } from '../protocols/envelope.ts';
import type {
  FailureFinder,
  Operation,
  StoredKind,
  UpstreamProtocolId,
} from '../protocols/protocol.ts';
import type { Minting } from './minting.ts';
import type { Verdict } from './verdict.ts';

/** The kind of a channel, as the catalog names it. */
export type ProviderKind = ChannelView['kind'];

/** A request as it goes over the wire, before it is signed. */
export interface UnsignedRequest {
  readonly method: 'GET' | 'DELETE' | 'POST';
  /** With its port, unless that is the scheme's own. */
  readonly host: string;
  /** With its query, escaped as it is sent. */
  readonly path: string;
  readonly contentType: string;
  readonly body?: Uint8Array | undefined;
}

/**
 * What an upstream is: where its endpoints are, how it wants its credential, what its errors mean.
 */
export interface Provider {
  /** The protocols that it can be spoken to in, the best first. */
  readonly speaks: readonly UpstreamProtocolId[];
  /**
   * The same for one model, where a vendor serves its models in different protocols at one address;
   * `speaks` when absent.
   */
  speaksTo?(upstreamModel: string, baseUrl: string): readonly UpstreamProtocolId[];
  /** Whether a name of a model says nothing about the model, as some ids do; absent: never. */
  isOpaqueName?(upstreamModel: string): boolean;
  /** Those that a channel of this kind may be set to instead; `speaks` when absent. */
  readonly maySpeak?: readonly UpstreamProtocolId[];
  /**
   * The path of an endpoint behind the channel's base address, with a leading slash.
   * @param baseUrl the channel's base address, without a trailing slash: how much of the path it
   *   has
   *   already is up to the operator
   */
  path(
    protocol: UpstreamProtocolId,
    operation: Operation,
    upstreamModel: string,
    baseUrl: string,
  ): string;
  /** The same for a reply that is streamed, where that is another path. */
  streamPath?(protocol: UpstreamProtocolId, upstreamModel: string, baseUrl: string): string;
  /**
   * The path of the counter of a prompt's tokens; undefined where there is none for the protocol.
   */
  countPath?(
    protocol: UpstreamProtocolId,
    upstreamModel: string,
    baseUrl: string,
  ): string | undefined;
  /**
   * The base address of another location, for vendors that serve a model at several; absent: there
   * are none.
   */
  atLocation?(baseUrl: string, location: string): string;
  /**
   * The operator's project and the location that a base address names, for the operator's log;
   * undefined where it names none.
   */
  placeOf?(baseUrl: string): string | undefined;
  /** The path of what it stores; absent: it stores nothing that clients can refer to. */
  storedPath?(kind: StoredKind, baseUrl: string): string;
  /** How it takes a protocol's requests where that is not the protocol's own way. */
  envelope?(
    protocol: UpstreamProtocolId,
    baseUrl: string,
    operation: Operation,
  ): Envelope | undefined;
  /** The media type of its streams, where they are no server-sent events. */
  streamType?(baseUrl: string): string | undefined;
  /** Credentials that are exchanged before they are sent; absent: there are none. */
  readonly minting?: Minting;
  /**
   * Reports whether an error other than a 401 says that a minted secret has expired or is not
   * known; absent: none does.
   * @param errorType what the header of the error's type says; '' without one
   */
  refusesSecret?(errorType: string): boolean;
  /** Names and values in turn of the headers that carry a credential, or what was minted of it. */
  credentialHeaders(credential: string): readonly string[];
  /**
   * The same for a credential that signs each request; undefined for one that does not. Called
   * when nothing of the request changes any more.
   */
  sign?(credential: string, request: UnsignedRequest): readonly string[] | undefined;
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
   * @param errorType what the header of the error's type says; '' without one
   */
  classifyError(
    status: number,
    retryAfterMs: number | null,
    body: Buffer,
    errorType?: string,
  ): Verdict;
  /** Whether an error says that something stored is not there any more. */
  lacksStored?(status: number, body: Buffer): boolean;
  /** Judges a body under a 2xx that is no reply of the protocol, such as an error. */
  classifyReply(body: Buffer): Verdict;
}
