import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';

/** Returns all output of a reply's content, to count its tokens. */
export function deliveredText(content: readonly unknown[]): string {
  return content.map((block) => (isJsonObject(block) ? blockText(block) : '')).join('');
}

function blockText(block: JsonObject): string {
  switch (block['type']) {
    case 'text':
      return stringOf(block['text']);
    case 'thinking':
      return stringOf(block['thinking']);
    case 'tool_use':
    case 'server_tool_use':
      return stringOf(block['name']) + JSON.stringify(block['input'] ?? {});
    case 'compaction':
      return stringOf(block['content']);
    default:
      return '';
  }
}
