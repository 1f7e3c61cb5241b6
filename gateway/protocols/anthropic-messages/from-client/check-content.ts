import type { Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { checkCallName } from '../../fields/field-checks.ts';
import { invalidValue, missing, wrongType } from '../../fields/field-faults.ts';
import { hasForeignCitation } from '../wire/citations.ts';
import { isForeignSignature } from '../wire/proofs.ts';
import type { RequestFacts } from './request-facts.ts';

/**
 * Blocks whose tokens their bytes bound, except for the results of tools that the upstream runs.
 */
const TEXT_TYPES: ReadonlySet<string> = new Set([
  'text',
  'server_tool_use',
  'search_result',
  'tool_reference',
  'compaction',
]);

const CONTENT_TYPES = 'a string or an array of content blocks';

/** Marks of a cache are on any block, tool and system prompt, and on the request itself. */
export function noteCacheMark(holder: JsonObject, facts: RequestFacts): void {
  const mark = holder['cache_control'];
  if (isJsonObject(mark) && mark['ttl'] === '1h') facts.writesForAnHour = true;
}

/** Checks the content of a message or a result: what Weir acts on, and nothing else. */
export function checkContent(
  content: unknown,
  param: string,
  facts: RequestFacts,
): Refusal | undefined {
  if (typeof content === 'string') return undefined;
  if (content === undefined || content === null) {
    return missing(param, `"${param}" is missing. Send ${CONTENT_TYPES}.`);
  }
  if (!Array.isArray(content)) return wrongType(param, CONTENT_TYPES, content);
  for (let index = 0; index < content.length; index += 1) {
    const fault = checkBlock(content[index], param, index, facts);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function checkBlock(
  block: unknown,
  list: string,
  index: number,
  facts: RequestFacts,
): Refusal | undefined {
  if (!isJsonObject(block)) return wrongType(`${list}[${index}]`, 'a content block', block);
  noteCacheMark(block, facts);
  const { type } = block;
  switch (type) {
    case 'text':
      if (hasForeignCitation(block)) facts.hasForeignParts = true;
      return typeof block['text'] === 'string'
        ? undefined
        : wrongType(`${list}[${index}].text`, 'a string', block['text']);
    case 'tool_result':
      return block['content'] === undefined || block['content'] === null
        ? undefined
        : checkContent(block['content'], `${list}[${index}].content`, facts);
    case 'image':
      return checkSource(block, `${list}[${index}].source`, { facts, bounded: true });
    case 'document':
      return checkSource(block, `${list}[${index}].source`, { facts, bounded: false });
    case 'tool_use':
      return checkCallName(block['name'], `${list}[${index}].name`);
    case 'redacted_thinking':
      facts.hasThinking = true;
      return undefined;
    case 'thinking':
      facts.hasThinking = true;
      if (isForeignSignature(stringOf(block['signature']))) facts.hasForeignParts = true;
      return undefined;
    case 'container_upload':
      return invalidValue(
        `${list}[${index}].type`,
        'Files are kept by one upstream account and cannot be named here. Send what is in it as a document or text block.',
      );
    default:
      return checkOther(block, `${list}[${index}].type`, facts);
  }
}

function checkOther(block: JsonObject, param: string, facts: RequestFacts): Refusal | undefined {
  const { type } = block;
  if (typeof type !== 'string') {
    return type === undefined
      ? missing(param, `"${param}" is missing. Send the type of the block, such as "text".`)
      : wrongType(param, 'a string', type);
  }
  if (TEXT_TYPES.has(type) || type.endsWith('_tool_result')) return undefined;
  facts.mediaParts += 1;
  facts.hasUnboundedParts = true;
  return undefined;
}

/** Checks the source of an image or document. A document may be as long as any prompt. */
function checkSource(
  block: JsonObject,
  param: string,
  { facts, bounded }: { readonly facts: RequestFacts; readonly bounded: boolean },
): Refusal | undefined {
  const { source } = block;
  if (!isJsonObject(source)) return wrongType(param, 'an object', source);
  switch (source['type']) {
    case 'file':
      return invalidValue(
        param,
        'Files are kept by one upstream account and cannot be named here. Send the content itself: a source of type "base64", "url" or "text".',
      );
    case 'text':
      return undefined;
    case 'content':
      return checkContent(source['content'], `${param}.content`, facts);
    default: {
      const { data } = source;
      facts.mediaParts += 1;
      facts.mediaBytes += typeof data === 'string' ? data.length : 0;
      if (!bounded) facts.hasUnboundedParts = true;
      return undefined;
    }
  }
}
