import type { NeutralField, NeutralRequest } from '../request.ts';

/** A request as a target takes it. */
export interface FittedRequest {
  readonly request: NeutralRequest;
  /** The target gets something else than the client has sent. */
  readonly isChanged: boolean;
  /** Fields that the target does not take and that are advice: they were left out. */
  readonly leftOut: readonly NeutralField[];
  /** The changes to be reversed in the reply; null: none. */
  readonly restoration: Restoration | null;
}

/** The changes of a request that the client must not see in the reply. */
export interface Restoration {
  /** The client's names of tools, by the names that the target got. */
  readonly toolNames?: ReadonlyMap<string, string>;
  /** The client's names of properties, by those that the target got, by the client's tools. */
  readonly propertyNames?: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** The same for the properties of the reply's format. */
  readonly formatPropertyNames?: ReadonlyMap<string, string>;
  /** Ids of calls in the conversation, as the client has them: no call of the reply gets one. */
  readonly callIds?: ReadonlySet<string>;
  /** The tool that Weir added: its input is the reply in the form that the client asked for. */
  readonly formatTool?: string;
  /** Stop sequences that the target does not take: Weir ends the reply at them. */
  readonly stopSequences?: readonly string[];
}
