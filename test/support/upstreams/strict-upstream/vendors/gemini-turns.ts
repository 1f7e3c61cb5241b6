import { isObject, items, text, type Json } from '../rule.ts';

function partsOf(content: Json | undefined): readonly Json[] {
  return items(content?.['parts']).map(([, part]) => part);
}

function count(content: Json | undefined, key: 'functionCall' | 'functionResponse'): number {
  return partsOf(content).filter((part) => isObject(part[key])).length;
}

/** The order of turns; the sentences are Google's. */
export function checkTurns(contents: readonly Json[]): string | undefined {
  for (const [at, content] of contents.entries()) {
    const before = contents[at - 1];
    if (partsOf(content).length === 0) {
      return `* GenerateContentRequest.contents[${String(at)}].parts: contents.parts must not be empty.\n`;
    }
    if (partsOf(content).some((part) => Object.keys(part).length === 0)) {
      return `* GenerateContentRequest.contents[${String(at)}].parts: required oneof field 'data' must have one initialized field\n`;
    }
    if (
      count(content, 'functionCall') > 0 &&
      (before === undefined || before['role'] === 'model')
    ) {
      return 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
    }
    const responses = count(content, 'functionResponse');
    if (responses > 0 && count(before, 'functionCall') === 0) {
      return 'Please ensure that function response turn comes immediately after a function call turn.';
    }
    if (count(before, 'functionCall') !== responses) {
      return 'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';
    }
  }
  const last = contents.at(-1);
  return last?.['role'] === 'model'
    ? 'Please ensure that single turn requests end with a user role or the role field is empty.'
    : undefined;
}

/**
 * The first call of each step of the current turn, which begins with the user's last text, must
 * have its signature.
 */
export function checkSignatures(contents: readonly Json[]): string | undefined {
  const begin = contents.findLastIndex(
    (content) => content['role'] !== 'model' && count(content, 'functionResponse') === 0,
  );
  for (const [at, content] of contents.entries()) {
    const call = partsOf(content).find((part) => isObject(part['functionCall']));
    if (at < begin || call === undefined || text(call['thoughtSignature']) !== '') continue;
    const { name } = call['functionCall'] as Json;
    return `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${text(name)}\` , position ${String(at + 1)}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`;
  }
  return undefined;
}
