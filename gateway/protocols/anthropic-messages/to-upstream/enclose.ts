import {
  isJsonObject,
  type JsonObject,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import type { MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { findMember, memberValue } from '../../../platform/json/scan-members.ts';
import type { Envelope } from '../../envelope.ts';
import type { MessagesRequest } from '../from-client/parse-request.ts';
import { BETA_MEMBER, VERSION_MEMBER } from '../wire/cloud-members.ts';

const TOOLS_MEMBER = 'tools';

/** The changes of an envelope to the bytes of a request. */
interface Enclosed {
  readonly edits: readonly MemberEdit[];
  /** Members that need a beta which is not among the request's. */
  readonly leftOut: readonly string[];
  /**
   * Other fields that are not sent: betas that the upstream does not take, and members of tools.
   */
  readonly dropped: readonly string[];
}

const NOTHING: readonly never[] = [];

/** Returns the edits that put a request into an envelope. */
export function encloseBytes(request: MessagesRequest, envelope: Envelope): Enclosed {
  const { membersInPath, version, clientVersions, betas, membersOfBetas = NO_MEMBERS } = envelope;
  const has = (name: string): boolean => findMember(request.bytes, request.members, name) !== -1;
  const edits: MemberEdit[] = membersInPath.filter(has).map((name) => ({ name, value: undefined }));
  const asked = clientVersions?.has(request.version) === true ? request.version : version;
  edits.push({ name: VERSION_MEMBER, value: JSON.stringify(asked) });
  if (betas === undefined) return { edits, leftOut: NOTHING, dropped: NOTHING };
  const flags = sentFlags(request, envelope);
  if (flags.length > 0) edits.push({ name: TOOLS_MEMBER, value: withoutFlags(request, flags) });
  const sent = askedBetas(request);
  const instead = flags.map((name) => envelope.toolFlags?.get(name) ?? '');
  const taken = [...new Set([...sent.flatMap((name) => betas.get(name) ?? []), ...instead])];
  const isInBody = envelope.betasInHeader !== true && taken.length > 0;
  if (isInBody) edits.push({ name: BETA_MEMBER, value: JSON.stringify(taken) });
  else if (has(BETA_MEMBER)) edits.push({ name: BETA_MEMBER, value: undefined });
  const leftOut = [...membersOfBetas]
    .filter(([, needed]) => !needed.some((name) => taken.includes(name)))
    .map(([name]) => name);
  const dropped = [
    ...sent.filter((name) => !betas.has(name)).map((name) => `beta.${name}`),
    ...flags.map((name) => `${TOOLS_MEMBER}[].${name}`),
  ];
  return { edits, leftOut, dropped };
}

/** The flags that some tool has, or a text of the request: most requests need not be parsed. */
function sentFlags(request: MessagesRequest, { toolFlags }: Envelope): readonly string[] {
  if (toolFlags === undefined || !request.hasTools) return NOTHING;
  const named = [...toolFlags.keys()].filter((name) => request.bytes.includes(`"${name}"`));
  if (named.length === 0) return NOTHING;
  const tools = memberValue(request, TOOLS_MEMBER);
  return named.filter(
    (name) => Array.isArray(tools) && tools.some((tool) => hasMember(tool, name)),
  );
}

function hasMember(value: unknown, name: string): boolean {
  return isJsonObject(value) && name in value;
}

function withoutFlags(request: MessagesRequest, flags: readonly string[]): string {
  const tools = memberValue(request, TOOLS_MEMBER);
  const list: readonly unknown[] = Array.isArray(tools) ? tools : [];
  return JSON.stringify(list.map((tool) => (isJsonObject(tool) ? without(tool, flags) : tool)));
}

function without(tool: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(tool).filter(([name]) => !names.includes(name)));
}

const NO_MEMBERS: NonNullable<Envelope['membersOfBetas']> = new Map();

/** The betas of the header and of the body, each once. */
function askedBetas(request: MessagesRequest): readonly string[] {
  const inHeader = request.beta.split(',').map((name) => name.trim());
  const inBody = memberValue(request, BETA_MEMBER);
  const listed = Array.isArray(inBody) ? inBody.filter((one) => typeof one === 'string') : NOTHING;
  return [...new Set([...inHeader, ...listed])].filter((name) => name !== '');
}

/** Returns the header of betas that goes to the upstream; '' for none. */
export function betasInHeader(header: string, envelope: Envelope | undefined): string {
  if (envelope?.betas === undefined) return header;
  if (envelope.betasInHeader !== true) return '';
  const { betas } = envelope;
  return [...new Set(header.split(',').flatMap((name) => betas.get(name.trim()) ?? []))].join(',');
}

/** Puts the body of a translated request into an envelope. */
export function encloseBody(body: OwnJsonObject, { membersInPath, version }: Envelope): void {
  for (const name of membersInPath) Reflect.deleteProperty(body, name);
  body[VERSION_MEMBER] = version;
}
