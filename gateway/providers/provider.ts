import type { ChannelView } from '@weir/shared/channels';
import type {
  FailureFinder,
  Operation,
  UpstreamProtocolId,
  StoredKind,
} from '../protocols/protocol.ts';
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
  /** The path of what it stores; absent: it stores nothing that clients can refer to. */
  storedPath?(kind: StoredKind, baseUrl: string): string;
  /** Names and values in turn of the headers that carry a credential. */
  credentialHeaders(credential: string): readonly string[];
  /**
   * The same for a credential that signs each request; undefined for one that does not. Called
   * when nothing of the request changes any more.
   */
  sign?(credential: string, request: UnsignedRequest): readonly string[] | undefined;
  /** The upstream's own list of models. */
  readonly models: {
    /** Behind the channel's base address, as in `path` above. */
    path(baseUrl: string): string;
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
