/**
 * The form in which an upstream takes the requests of a protocol if parts of them are elsewhere
 * than in the protocol: clouds that serve a vendor's models name the model in the path and the
 * version in the body. A provider says it (`Provider.envelope`), the protocol writes it.
 */
export interface Envelope {
  /** The version that the body names; it takes the place of the protocol's header. */
  readonly version: string;
  /** Versions that clients send in the header and the body may name; others become `version`. */
  readonly clientVersions?: ReadonlySet<string>;
  /** Members that the path says, and that the body must not have. */
  readonly membersInPath: readonly string[];
  /** Members that the upstream refuses whatever their value is. */
  readonly refusedMembers?: readonly string[];
  /**
   * The betas that the upstream takes, with their names there by those that clients send; others
   * are not sent. Absent: betas stay in their header, all of them.
   */
  readonly betas?: ReadonlyMap<string, string>;
  /** Betas stay in their header; otherwise those of `betas` are a member of the body. */
  readonly betasInHeader?: boolean;
  /** Members that are taken only with one of these betas. */
  readonly membersOfBetas?: ReadonlyMap<string, readonly string[]>;
  /** The header that asks for a tier of processing, and the tiers that it takes. */
  readonly tierHeader?: { readonly name: string; readonly tiers: ReadonlySet<string> };
  /** Members of tools that some models refuse, with the beta that takes their place. */
  readonly toolFlags?: ReadonlyMap<string, string>;
}
