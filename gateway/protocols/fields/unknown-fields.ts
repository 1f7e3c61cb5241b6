import { scanMembers, type MemberSpans } from '../../platform/json/scan-members.ts';
import type { JsonObject } from '../../platform/json/json-value.ts';
import type { ParsedRequest } from '../protocol.ts';
import { fits, prune, type Shapes } from './shape.ts';

/**
 * Fields of a request that have something in them that is not known, or are not known themselves.
 */
export interface UnknownFields {
  /** The known names of the outermost object. */
  readonly names: ReadonlySet<string>;
  /** The known shapes. */
  readonly shapes: Shapes;
}

/**
 * Finds what is not known in a body; null in most. Fields that are withheld anyway do not count.
 * @param more names that were found to have something unknown in them where the body was scanned
 */
export function findUnknownFields(
  body: JsonObject,
  keys: readonly string[],
  {
    shapes,
    withheld,
    more = NOTHING,
  }: {
    readonly shapes: Shapes;
    readonly withheld: readonly string[];
    readonly more?: readonly string[];
  },
): UnknownFields | null {
  let names: Set<string> | undefined;
  for (const key of keys) {
    const shape = shapes.get(key);
    if (shape !== undefined && fits(body[key], shape)) continue;
    if (!withheld.includes(key)) (names ??= new Set()).add(key);
  }
  for (const key of more) (names ??= new Set()).add(key);
  return names === undefined ? null : { names, shapes };
}

const NOTHING: readonly never[] = [];
/** The most nesting of a body. */
const DEPTH_MAX = 128;
const COMMA = ',';

/** A request whose members' places are known. */
export interface SpannedRequest extends ParsedRequest {
  readonly members: MemberSpans;
}

/** A request without what is not known, and the names of what that was. */
export interface KnownRequest<Request> {
  readonly request: Request;
  readonly dropped: readonly string[];
}

/**
 * Returns the request as it goes to an upstream that gets known fields alone. Its body is put
 * together from the members that are known, so that nothing else is in it, however its name is
 * written.
 */
export function withoutUnknownFields<Request extends SpannedRequest>(
  request: Request,
  { names, shapes }: UnknownFields,
): KnownRequest<Request> {
  const { bytes, members: sent } = request;
  const dropped = new Set<string>();
  const kept: string[] = [];
  for (let member = 0; member < sent.count; member += 1) {
    const [keyStart = 1, keyEnd = 0, valueStart = 0, valueEnd = 0] = sent.offsets.slice(
      member * 4,
      member * 4 + 4,
    );
    const quoted = bytes.toString('utf8', keyStart - 1, keyEnd + 1);
    const value = bytes.toString('utf8', valueStart, valueEnd);
    const name = String(JSON.parse(quoted));
    const shape = shapes.get(name);
    if (!names.has(name)) kept.push(`${quoted}:${value}`);
    else if (shape === undefined) dropped.add(name);
    else {
      const left = prune(JSON.parse(value), shape, name, dropped);
      if (left !== undefined) kept.push(`${quoted}:${JSON.stringify(left)}`);
    }
  }
  const body = Buffer.from(`{${kept.join(COMMA)}}`);
  const members = scanMembers(body, DEPTH_MAX);
  const known = { ...request, bytes: body, parsed: undefined, members, unknownFields: null };
  return { request: known, dropped: [...dropped] };
}
