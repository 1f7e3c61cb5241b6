/**
 * The members that a generating protocol adds to be translated: to and from the neutral form, on
 * the side of the upstream, and on that of the client where clients speak it.
 */
import type { TokenCounts } from '@weir/shared/watch/usage-record';
import type { Refusal } from '../../platform/errors/refusal.ts';
import type { OwnJsonObject } from '../../platform/json/json-value.ts';
import type { StopCode } from '../../platform/errors/stop-code.ts';
import type { FailureFinder, ParsedRequest, Target } from '../protocol.ts';
import type { BegunReply } from '../stream-reader.ts';
import type { TargetProfile } from '../target-profile.ts';
import type { NeutralEvent, NeutralReply } from './reply.ts';
import type { NeutralField, NeutralRequest } from './request.ts';

/** Names of fields in a protocol's requests, by their names in the neutral form. */
export type FieldNames = Readonly<Partial<Record<NeutralField, string>>>;

/** Reads the events of an upstream's stream. */
export interface EventReader {
  /**
   * @param name the event's name, '' when it has none
   * @param data its data, not yet parsed
   */
  read(name: string, data: Buffer): readonly NeutralEvent[];
  /**
   * The upstream has closed the stream: what is still to be said, such as an end without a marker.
   */
  close(): readonly NeutralEvent[];
}

/** Writes the client's stream. Each method returns bytes as text, '' for none. */
export interface EventWriter {
  /** Anything but usage, done and failure. Behind `end` comes `endMarker`, after the settle. */
  write(event: NeutralEvent): string;
  /** Ends what is open as a reply that has reached its limit, except for its terminal event. */
  cutShort(): string;
  /** The terminal event; the usage is the one that the client gets. */
  endMarker(usage: TokenCounts | null): string;
  /**
   * Returns an event that keeps a stream alive once it has begun, for clients that ignore comments.
   */
  keepAlive?(): string;
  /** See `StreamReader.continueReply`. */
  continueReply?(begun: BegunReply, kept: Uint8Array): Uint8Array;
  errorEvent(code: StopCode | 'upstream_error'): string;
}

/** The side of the upstream. */
export interface UpstreamForm {
  /** The protocol's names for fields of the neutral form; absent: nothing is left out by name. */
  readonly fieldNames?: FieldNames;
  /** The body for an upstream of this protocol. A refusal names what the protocol cannot do. */
  writeRequest(request: NeutralRequest, target: Target): OwnJsonObject | Refusal;
  /**
   * Names and values in turn of headers that an upstream of this protocol wants with each request.
   */
  readonly upstreamHeaders?: readonly string[];
  /** An upstream's whole reply; undefined when it is none of this protocol. */
  readReply(body: Buffer, findFailure: FailureFinder): NeutralReply | undefined;
  readStream(findFailure: FailureFinder, profile?: TargetProfile): EventReader;
}

/** Both sides. */
export interface NeutralForm<Request extends ParsedRequest = ParsedRequest> extends UpstreamForm {
  /** The client's names for fields of the neutral form that are left out or refused. */
  readonly fieldNames: FieldNames;
  /** Reports whether a request has stop sequences that its target does not take. */
  stopsBeyond?(request: Request, profile: TargetProfile): boolean;
  /**
   * Reports whether thinking has to be switched off for the target, though the request does not say
   * so.
   */
  mustNotThink?(request: Request, profile: TargetProfile): boolean;
  /**
   * Reports whether reading and writing a request changes it although its target's fit does not: a
   * tool, whose new name the reply must not have, or a field is renamed.
   */
  isRewritten?(request: Request, profile: TargetProfile): boolean;
  /** A client's request. A refusal names the field that the neutral form cannot carry. */
  readRequest(request: Request): NeutralRequest | Refusal;
  /** A whole reply for a client; the usage is the one that the client gets. */
  writeReply(reply: NeutralReply, request: Request, usage: TokenCounts | null): Buffer;
  writeStream(request: Request): EventWriter;
}
