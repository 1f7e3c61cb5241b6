import { isRefusal, type Refusal } from '../../../platform/errors/refusal.ts';
import type { JsonObject } from '../../../platform/json/json-value.ts';
import { readObject, type ReadObject } from '../../../platform/json/read-object.ts';
import { rewriteMembers, type MemberEdit } from '../../../platform/json/rewrite-members.ts';
import { scanMembers } from '../../../platform/json/scan-members.ts';
import { wrongType } from '../../fields/field-faults.ts';
import { refuseEscapedNames } from '../../fields/field-names.ts';
import { BETA_MEMBER, VERSION_MEMBER } from '../wire/cloud-members.ts';

const EDITED_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'stream',
  VERSION_MEMBER,
  BETA_MEMBER,
]);

export interface CloudBody extends ReadObject {
  /** The betas that the body asks for, as the header of Messages lists them; '' for none. */
  readonly beta: string;
}

/** The facts in the path; undefined leaves one to the body. */
interface PathFacts {
  readonly model: string | undefined;
  readonly stream: boolean | undefined;
}

/**
 * Makes an ordinary body of Messages from one that a cloud takes: the model and whether the reply
 * is a stream are in the path there, and the version is one of the cloud's own.
 */
export function readCloudBody(
  body: Buffer,
  facts: PathFacts,
  jsonDepthMax: number,
): CloudBody | Refusal {
  const read = readObject(body, jsonDepthMax);
  if (isRefusal(read)) return read;
  const beta = betaOf(read.value[BETA_MEMBER]);
  if (typeof beta !== 'string') return beta;
  const escaped = refuseEscapedNames(read, EDITED_FIELDS);
  if (escaped !== undefined) return escaped;
  const own = membersFrom(facts);
  const rest = Object.entries(read.value).filter(([name]) => !Object.hasOwn(own, name));
  const set = Object.entries(own).filter(([, value]) => value !== undefined);
  const value = Object.fromEntries([...rest, ...set]);
  const bytes = rest.length === 0 ? Buffer.from(JSON.stringify(value)) : withMembers(read, own);
  const members = scanMembers(bytes, jsonDepthMax);
  return { bytes, value, keys: Object.keys(value), members, beta };
}

function withMembers({ bytes, members }: ReadObject, own: JsonObject): Buffer {
  const edits = Object.entries(own).map(([name, value]): MemberEdit => {
    return { name, value: value === undefined ? undefined : JSON.stringify(value) };
  });
  return rewriteMembers(bytes, members, edits);
}

/** The members of the body that differ; undefined for those that leave it. */
function membersFrom({ model, stream }: PathFacts): JsonObject {
  return {
    [VERSION_MEMBER]: undefined,
    [BETA_MEMBER]: undefined,
    ...(model === undefined ? {} : { model }),
    // A whole reply is what Messages send unless they are asked for a stream.
    ...(stream === undefined ? {} : { stream: stream ? true : undefined }),
  };
}

function betaOf(sent: unknown): string | Refusal {
  if (sent === undefined || sent === null) return '';
  if (typeof sent === 'string') return sent;
  const isList = Array.isArray(sent) && sent.every((one) => typeof one === 'string');
  return isList ? sent.join(',') : wrongType(BETA_MEMBER, 'a list of strings', sent);
}
