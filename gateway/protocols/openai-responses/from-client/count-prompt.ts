import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import {
  audioTokens,
  FILE_TOKENS,
  imageTokens,
  OTHER_MEDIA_TOKENS,
} from '../../../tokens/media-tokens.ts';
import { objectsOf, PromptCounter, readPromptBody } from '../../../tokens/prompt-counter.ts';
import { unreadPromptTokensUpperBound } from '../../../tokens/prompt-upper-bound.ts';

/**
 * Tokens of a Responses request's prompt, never more than its upper bound. Exact for text and
 * OpenAI's models, near for the text of others, an estimate for images, audio, files and
 * encrypted reasoning.
 * @param body the request's JSON bytes, checked before
 */
export function* countPrompt(model: string, body: Uint8Array): Generator<undefined, number> {
  const request = readPromptBody(body);
  if (request === undefined) return unreadPromptTokensUpperBound(body);
  const prompt = new PromptCounter(model);
  const { instructions, input, tools, text } = request;
  if (typeof instructions === 'string') {
    prompt.addMessage();
    prompt.addText(instructions);
  }
  if (typeof input === 'string') {
    prompt.addMessage();
    prompt.addText(input);
  }
  for (const item of objectsOf(input)) addItem(prompt, item);
  prompt.addTools(objectsOf(tools));
  if (isJsonObject(text) && isJsonObject(text['format'])) {
    prompt.addText(JSON.stringify(text['format']));
  }
  return yield* prompt.total(body.length);
}

function addItem(prompt: PromptCounter, item: JsonObject): void {
  prompt.addMessage();
  prompt.addText(item['role']);
  if (item['name'] !== undefined) prompt.addCall(item['name'], item['arguments'] ?? item['input']);
  for (const field of ['content', 'summary', 'output'] as const) {
    const value = item[field];
    prompt.addText(value);
    const parts = isJsonObject(value) ? [value] : objectsOf(value);
    for (const part of parts) addPart(prompt, part);
  }
  if (isJsonObject(item['arguments'])) prompt.addText(JSON.stringify(item['arguments']));
  // Tools that were found on the way are in the prompt like those of the request.
  for (const tool of objectsOf(item['tools'])) prompt.addText(JSON.stringify(tool));
  if (item['type'] === 'image_generation_call' && stringOf(item['result']) !== '') {
    prompt.addMedia(imageTokens(prompt.model, false));
  }
  const encrypted = stringOf(item['encrypted_content']);
  if (encrypted !== '') prompt.addMedia(encryptedTokens(encrypted));
}

/** Base64 of text has four letters for three characters, and a token has about four of those. */
const LETTERS_PER_ENCRYPTED_TOKEN = 16 / 3;

function encryptedTokens(value: string): number {
  return Math.ceil(value.length / LETTERS_PER_ENCRYPTED_TOKEN);
}

function addPart(prompt: PromptCounter, part: JsonObject): void {
  const { type, text, refusal, stdout, stderr } = part;
  if (typeof text === 'string') prompt.addText(text);
  else if (typeof stdout === 'string') {
    prompt.addText(stdout);
    prompt.addText(stderr);
  } else if (typeof refusal === 'string') prompt.addText(refusal);
  else prompt.addMedia(mediaTokens(prompt.model, type, part));
}

function mediaTokens(model: string, type: unknown, part: JsonObject): number {
  switch (type) {
    case 'input_image':
    case 'computer_screenshot':
      return imageTokens(model, part['detail'] === 'low');
    case 'input_file':
      return FILE_TOKENS;
    case 'input_audio': {
      const audio = part['input_audio'];
      return isJsonObject(audio) ? audioTokens(audio['data'], audio['format']) : 0;
    }
    default:
      return OTHER_MEDIA_TOKENS;
  }
}
