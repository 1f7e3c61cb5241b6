import {
  isOwnJsonObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { fieldOf, listOf } from '../fields.ts';

/** Returns the candidates of a reply or chunk that are objects. */
export function candidatesOf(reply: OwnJsonObject): readonly OwnJsonObject[] {
  return listOf(reply['candidates']).filter(isOwnJsonObject);
}

/** Returns the parts of a candidate's content. */
export function partsOf({ content }: OwnJsonObject): readonly OwnJsonObject[] {
  return isOwnJsonObject(content) ? listOf(content['parts']).filter(isOwnJsonObject) : [];
}

/** Returns what of a part counts as output when its upstream reports no tokens. */
export function textOfPart(part: OwnJsonObject): string {
  const call = fieldOf(part, 'functionCall');
  if (isOwnJsonObject(call)) {
    const args = call['args'];
    return stringOf(call['name']) + (args === undefined ? '' : JSON.stringify(args));
  }
  const code = fieldOf(part, 'executableCode');
  if (isOwnJsonObject(code)) return stringOf(code['code']);
  return stringOf(part['text']);
}

/** Reports whether a part has something for the client. */
export function hasContent(part: OwnJsonObject): boolean {
  for (const key in part) {
    if (key === 'text' ? part[key] !== '' : CONTENT_KEYS.has(key)) return true;
  }
  return false;
}

const CONTENT_KEYS: ReadonlySet<string> = new Set([
  'functionCall',
  'function_call',
  'inlineData',
  'inline_data',
  'fileData',
  'file_data',
  'executableCode',
  'executable_code',
  'codeExecutionResult',
  'code_execution_result',
]);
