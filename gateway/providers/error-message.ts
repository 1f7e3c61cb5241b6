import { isJsonObject, type JsonObject } from '../platform/json/json-value.ts';

/** Where errors have their words, in the order they are looked for. */
const WORD_KEYS = ['message', 'error', 'detail', 'msg'] as const;
/** Mistral's are four deep: error, message, list, entry. */
const DEPTH_MAX = 4;
/** Of a list of mistakes so many are told. */
const MISTAKES_MAX = 10;

/**
 * What an error says, whatever shape it has: `{message}` (OpenAI), `{code, error}` (xAI),
 * `{detail}` (FastAPI, whose lists name the place of each mistake:
 * github.com/Gitlawb/openclaude/issues/739), or one within another. Undefined when there are no
 * words in it.
 */
export function extractMessage(error: JsonObject): string | undefined {
  return wordsIn(error, DEPTH_MAX);
}

function wordsIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (depth === 0) return undefined;
  if (Array.isArray(value)) {
    const mistakes = value.slice(0, MISTAKES_MAX).map((mistake) => wordsIn(mistake, depth - 1));
    return mistakes.filter((words) => words !== undefined).join('; ') || undefined;
  }
  if (!isJsonObject(value)) return undefined;
  for (const key of WORD_KEYS) {
    const words = wordsIn(value[key], depth - 1);
    if (words !== undefined) return placeOf(value['loc']) + words + reasonIn(value['param']);
  }
  return undefined;
}

/** MiMo's reason: no field's name has spaces. decolua/9router#1210 */
function reasonIn(param: unknown): string {
  return typeof param === 'string' && !isFieldName(param) ? `: ${param}` : '';
}

/** Reports whether what an error has as `param` is a field's name or path. */
export function isFieldName(param: string): boolean {
  return !param.includes(' ');
}

/** FastAPI's path to a field, `["body", "messages", 0]`. */
function placeOf(loc: unknown): string {
  return Array.isArray(loc) && loc.length > 0 ? `${loc.join('.')}: ` : '';
}
