import type { UpstreamProtocolId } from '../../protocols/protocol.ts';
import type { TargetProfile } from '../../protocols/target-profile.ts';
import type { ProviderKind } from '../provider.ts';
import { isTextOnly, TEXT_ONLY } from './families/text-only.ts';
import { FAMILIES, findFamily } from './find-family.ts';
import { findVendor, VENDORS } from './find-vendor.ts';
import { modelNameOf } from './model-name.ts';
import { PROTOCOL_DEFAULTS, PROTOCOL_LIMITS } from './protocol-defaults.ts';
import {
  GENERIC,
  type Evidence,
  type Family,
  type Rules,
  type RuleSet,
  type Vendor,
} from './rule-set.ts';

/** What decides about a profile. */
export interface ProfileTarget {
  readonly kind: ProviderKind;
  readonly baseUrl: string;
  /** What the upstream calls the model. */
  readonly upstreamModel: string;
  /**
   * The operator's choice: null (by address and name), `generic` (the plainest of the protocol), a
   * vendor, or `<vendor>/<family>`, either of which may be `generic`. An id that is not known is
   * taken for null, so that a profile that was renamed stops no request.
   */
  readonly chosen: string | null;
}

interface Parts {
  readonly vendor: Vendor | undefined;
  readonly family: Family | undefined;
  /** The model reads no images, though others of its family may. */
  readonly isTextOnly: boolean;
}

const vendorsById = new Map(VENDORS.map((vendor) => [vendor.id, vendor]));
const familiesById = new Map(FAMILIES.map((family) => [family.id, family]));

function partsOf({ kind, baseUrl, upstreamModel, chosen }: ProfileTarget): Parts {
  if (chosen === GENERIC) return { vendor: undefined, family: undefined, isTextOnly: false };
  const [vendorId = '', familyId] = isProfileId(chosen) ? chosen.split('/') : [];
  const vendor = vendorId === '' ? findVendor(kind, baseUrl) : vendorsById.get(vendorId);
  const family =
    familyId === undefined
      ? findFamily(upstreamModel, vendor?.namedByOperator)
      : familiesById.get(familyId);
  const textOnly = family !== undefined && isTextOnly(family.id, modelNameOf(upstreamModel));
  return { vendor, family, isTextOnly: textOnly };
}

/** Whether an operator can choose this profile. */
export function isProfileId(id: string | null): id is string {
  if (id === null) return false;
  const [vendorId = '', familyId, ...rest] = id.split('/');
  return (
    rest.length === 0 &&
    (vendorId === GENERIC || vendorsById.has(vendorId)) &&
    (familyId === undefined || familyId === GENERIC || familiesById.has(familyId))
  );
}

/** Returns the name of a profile for the console, such as `openai/gpt-5.1` or `generic`. */
export function profileName(target: ProfileTarget): string {
  return nameOf(partsOf(target));
}

function nameOf({ vendor, family }: Omit<Parts, 'isTextOnly'>): string {
  if (vendor === undefined && family === undefined) return GENERIC;
  return `${vendor?.id ?? GENERIC}/${family?.id ?? GENERIC}`;
}

/** A vendor or family as a picker shows it. */
export interface ListedRules extends Evidence {
  readonly id: string;
  readonly label: string;
}

/** Returns the vendors and families of which an operator can choose. */
export function listProfiles(): {
  readonly vendors: readonly ListedRules[];
  readonly families: readonly ListedRules[];
} {
  return { vendors: VENDORS.map(listed), families: FAMILIES.map(listed) };
}

function listed({ id, label, source, checkedOn }: ListedRules): ListedRules {
  return { id, label, source, checkedOn };
}

const profiles = new Map<string, TargetProfile>();

/**
 * Returns what a target takes: the same object for the same vendor, family and protocol. Choosing
 * costs some tests of names; call it once per route of a catalog snapshot, never per request.
 */
export function profileOf(
  target: ProfileTarget & { readonly upstreamProtocol: UpstreamProtocolId },
): TargetProfile {
  const parts = partsOf(target);
  const key = `${nameOf(parts)} ${target.upstreamProtocol} ${String(parts.isTextOnly)}`;
  const known = profiles.get(key);
  if (known !== undefined) return known;
  const profile = layersOf(parts, target.upstreamProtocol).reduce(
    lay,
    PROTOCOL_DEFAULTS[target.upstreamProtocol],
  );
  const named = {
    ...profile,
    ...PROTOCOL_LIMITS[target.upstreamProtocol],
    familyKnown: parts.family !== undefined,
  };
  profiles.set(key, named);
  return named;
}

/** The rules of a profile, the later ones of more weight. */
function layersOf(
  { vendor, family, isTextOnly: textOnly }: Parts,
  protocol: UpstreamProtocolId,
): readonly Rules[] {
  const both = vendor?.families?.filter(({ of }) => of.includes(family?.id ?? GENERIC));
  const sets: readonly (RuleSet | undefined)[] = [family, vendor, ...(both ?? [])];
  const rules = sets.flatMap((set) => {
    if (set === undefined) return [];
    const more = set.byProtocol?.[protocol];
    return more === undefined ? [set.rules] : [set.rules, more];
  });
  return textOnly ? [...rules, TEXT_ONLY] : rules;
}

function lay(profile: TargetProfile, rules: Rules): TargetProfile {
  return {
    ...profile,
    ...rules,
    refusedFields: [...profile.refusedFields, ...(rules.refusedFields ?? [])],
    media: { ...profile.media, ...rules.media },
    conversation: { ...profile.conversation, ...rules.conversation },
  };
}
