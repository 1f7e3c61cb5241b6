import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { findMember, memberValue } from '../../../platform/json/scan-members.ts';
import type { Envelope } from '../../envelope.ts';
import type { MessagesRequest } from '../parse-request.ts';

export const VERSION_MEMBER = 'anthropic_version';
export const BETA_MEMBER = 'anthropic_beta';

/** What an envelope changes in the bytes of a request. */
interface Enclosed {
  readonly edits: readonly MemberEdit[];
  /** Members that need a beta which is not among the request's. */
  readonly leftOut: readonly string[];
  /** The betas that the upstream does not take, as names of dropped fields. */
  readonly withheldBetas: readonly string[];
}

const NOTHING: readonly never[] = [];

/** Returns the edits that put a request into an envelope. */
export function encloseBytes(request: MessagesRequest, envelope: Envelope): Enclosed {
  const { membersInPath, version, betas, membersOfBetas = NO_MEMBERS } = envelope;
  const has = (name: string): boolean => findMember(request.bytes, request.members, name) !== -1;
  const edits: MemberEdit[] = membersInPath.filter(has).map((name) => ({ name, value: undefined }));
  edits.push({ name: VERSION_MEMBER, value: JSON.stringify(version) });
  if (betas === undefined) return { edits, leftOut: NOTHING, withheldBetas: NOTHING };
  const asked = askedBetas(request);
  const taken = [...new Set(asked.flatMap((name) => betas.get(name) ?? []))];
  if (taken.length > 0) edits.push({ name: BETA_MEMBER, value: JSON.stringify(taken) });
  else if (has(BETA_MEMBER)) edits.push({ name: BETA_MEMBER, value: undefined });
  const leftOut = [...membersOfBetas]
    .filter(([, needed]) => !needed.some((name) => taken.includes(name)))
    .map(([name]) => name);
  const withheldBetas = asked.filter((name) => !betas.has(name)).map((name) => `beta.${name}`);
  return { edits, leftOut, withheldBetas };
}

const NO_MEMBERS: NonNullable<Envelope['membersOfBetas']> = new Map();

/** The betas of the header and of the body, each once. */
function askedBetas(request: MessagesRequest): readonly string[] {
  const inHeader = request.beta.split(',').map((name) => name.trim());
  const inBody = memberValue(request, BETA_MEMBER);
  const listed = Array.isArray(inBody) ? inBody.filter((one) => typeof one === 'string') : NOTHING;
  return [...new Set([...inHeader, ...listed])].filter((name) => name !== '');
}

/** Puts the body of a translated request into an envelope. */
export function encloseBody(body: OwnJsonObject, { membersInPath, version }: Envelope): void {
  for (const name of membersInPath) Reflect.deleteProperty(body, name);
  body[VERSION_MEMBER] = version;
}
