import type { UpstreamProtocolId } from '../../protocols/protocol.ts';
import type {
  ConversationRules,
  MediaRules,
  TargetProfile,
} from '../../protocols/target-profile.ts';
import type { ProviderKind } from '../provider.ts';

/** The id of no vendor and no family: what the protocol's plainest server takes. */
export const GENERIC = 'generic';

export type Effort = TargetProfile['efforts'][number];

/** Members of a profile. Of media and conversation only what differs is named. */
export interface Rules extends Partial<
  Omit<TargetProfile, 'familyKnown' | 'media' | 'conversation'>
> {
  readonly media?: Partial<MediaRules>;
  readonly conversation?: Partial<ConversationRules>;
}

/** Where rules are from, so that a later reader can check them again. */
export interface Evidence {
  /** Package, version and file, or `repository#issue`; several are separated by `; `. */
  readonly source: string;
  /** The day on which the source was read, as `YYYY-MM-DD`. */
  readonly checkedOn: string;
}

export interface RuleSet extends Evidence {
  readonly rules: Rules;
  /** Rules of one upstream protocol; they are laid over `rules`. */
  readonly byProtocol?: Partial<Readonly<Record<UpstreamProtocolId, Rules>>>;
}

/** Models that take the same, whatever vendor serves them. */
export interface Family extends RuleSet {
  /** Unique among families, such as `gpt-5.1`. */
  readonly id: string;
  readonly label: string;
  /**
   * Fits the names of the family as `modelNameOf` returns them. Anchored at the start and without
   * nested repetition, so that matching is linear.
   */
  readonly names: RegExp;
}

/** What serves models at some address. */
export interface Vendor extends RuleSet {
  /** Unique among vendors, such as `groq`. */
  readonly id: string;
  readonly label: string;
  /**
   * Hosts of base addresses. `*` is one or more labels or a part of one. None: only an operator can
   * choose this vendor.
   */
  readonly hosts: readonly string[];
  /** Channels of these kinds are at this vendor wherever their address is. */
  readonly kinds?: readonly ProviderKind[];
  /** The operator names the models, so a family's name may be anywhere in a name. */
  readonly namedByOperator?: boolean;
  /** Rules for some families at this vendor. */
  readonly families?: readonly VendorFamilyRules[];
}

/** Vendor × family. */
export interface VendorFamilyRules extends RuleSet {
  /** Ids of families; `generic` for models whose name says nothing. */
  readonly of: readonly string[];
}
