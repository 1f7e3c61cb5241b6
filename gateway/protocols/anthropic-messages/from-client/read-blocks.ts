import type { Refusal } from '../../../platform/errors/refusal.ts';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import type {
  CacheMark,
  FilePart,
  ImagePart,
  MediaSource,
  TextPart,
  ToolResultPart,
} from '../../neutral-form/request.ts';
import { invalidValue } from '../../fields/field-faults.ts';

type ReadPart = TextPart | ImagePart | FilePart | ToolResultPart;
type ResultPart = ToolResultPart['content'][number];

export function cacheMark(block: JsonObject): { readonly cache?: CacheMark } {
  const mark = block['cache_control'];
  return isJsonObject(mark) ? { cache: { ttl: mark['ttl'] === '1h' ? '1h' : '5m' } } : {};
}

/** The text of a block; none of an empty one, which other vendors refuse. */
export function readText(block: JsonObject): TextPart[] {
  const text = stringOf(block['text']);
  return text === '' ? [] : [{ type: 'text', text, ...cacheMark(block) }];
}

/**
 * A block of a user's turn. Results of tools that Anthropic ran have no place in another protocol.
 */
export function readUserBlock(block: JsonObject, param: string): ReadPart[] | Refusal {
  switch (block['type']) {
    case 'text':
      return readText(block);
    case 'image':
      return [{ type: 'image', source: mediaOf(block['source']), ...cacheMark(block) }];
    case 'document':
      return readDocument(block);
    case 'search_result':
      return readSearchResult(block);
    case 'tool_reference':
      return [{ type: 'text', text: `Tool loaded: ${stringOf(block['tool_name'])}` }];
    case 'tool_result':
      return readResult(block, param);
    case 'compaction':
      return readText({ text: block['content'] });
    default:
      return /_tool_result$|^server_tool_use$/.test(stringOf(block['type']))
        ? []
        : invalidValue(
            `${param}.type`,
            `This model is served by an upstream that has no "${stringOf(block['type'])}" blocks. Send "text", "image", "document" or "tool_result".`,
          );
  }
}

function readResult(block: JsonObject, param: string): ReadPart[] | Refusal {
  const { content } = block;
  const parts: ResultPart[] = [];
  if (typeof content === 'string') parts.push(...readText({ text: content }));
  for (const [index, inner] of (Array.isArray(content) ? content : []).entries()) {
    if (!isJsonObject(inner)) continue;
    const read = readUserBlock(inner, `${param}.content[${index}]`);
    if (!Array.isArray(read)) return read;
    parts.push(...read.filter((part) => part.type !== 'tool_result'));
  }
  return [
    {
      type: 'tool_result',
      callId: stringOf(block['tool_use_id']),
      content: parts,
      isError: block['is_error'] === true,
      ...cacheMark(block),
    },
  ];
}

function mediaOf(source: unknown): MediaSource {
  if (!isJsonObject(source)) return { url: '' };
  if (source['type'] === 'url') return { url: stringOf(source['url']) };
  return { base64: stringOf(source['data']), mediaType: stringOf(source['media_type']) };
}

function readDocument(block: JsonObject): ReadPart[] {
  const { source, title, context } = block;
  const name = stringOf(title);
  const shared = { ...(name === '' ? {} : { name }), ...cacheMark(block) };
  const about = readText({ text: context });
  if (!isJsonObject(source)) return about;
  switch (source['type']) {
    case 'text':
      return [...about, { type: 'file', source: { text: stringOf(source['data']) }, ...shared }];
    case 'content':
      return [...about, ...readInner(source['content'])];
    default:
      return [...about, { type: 'file', source: mediaOf(source), ...shared }];
  }
}

function readSearchResult(block: JsonObject): ReadPart[] {
  const head = [stringOf(block['title']), stringOf(block['source'])].filter((one) => one !== '');
  return [...readText({ text: head.join('\n') }), ...readInner(block['content'])];
}

/** Texts and images within a block. */
function readInner(content: unknown): ReadPart[] {
  if (typeof content === 'string') return readText({ text: content });
  return (Array.isArray(content) ? content.filter(isJsonObject) : []).flatMap((block): ReadPart[] =>
    block['type'] === 'image'
      ? [{ type: 'image', source: mediaOf(block['source']) }]
      : readText(block),
  );
}
