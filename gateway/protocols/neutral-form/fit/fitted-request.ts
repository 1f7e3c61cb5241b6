import type { NeutralRequest } from '../request.ts';

/** A request as a target takes it. */
export interface FittedRequest {
  readonly request: NeutralRequest;
  /** Fields that the target does not take and that are advice: they were left out. */
  readonly leftOut: readonly (keyof NeutralRequest)[];
  /** What has to be changed back in the reply; null: nothing. */
  readonly restoration: Restoration | null;
}

/** What of a request was changed in a way that the client must not see in the reply. */
export interface Restoration {
  /** The client's names of tools, by the names that the target got. */
  readonly toolNames?: ReadonlyMap<string, string>;
  /** Ids of calls in the conversation, as the client has them: no call of the reply gets one. */
  readonly callIds?: ReadonlySet<string>;
  /** The tool that Weir added: its input is the reply in the form that the client asked for. */
  readonly formatTool?: string;
  /** Stop sequences that the target does not take: Weir ends the reply at them. */
  readonly stopSequences?: readonly string[];
}
