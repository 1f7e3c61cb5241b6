import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import {
  audioTokens,
  FILE_TOKENS,
  imageTokens,
  OTHER_MEDIA_TOKENS,
} from '../../../tokens/media-tokens.ts';
import { objectsOf, PromptCounter, readPromptBody } from '../../../tokens/prompt-counter.ts';
import { unreadPromptTokensUpperBound } from '../../../tokens/prompt-upper-bound.ts';

/**
 * Tokens of a chat-completions request's prompt, never more than its upper bound. Exact for text
 * and OpenAI's models, near for the text of others, an estimate for images, audio and files.
 * @param body the request's JSON bytes, already checked except inside long strings; if those are
 *   not valid JSON, the upper bound is returned
 */
export function* countPrompt(model: string, body: Uint8Array): Generator<undefined, number> {
  const request = readPromptBody(body);
  if (request === undefined) return unreadPromptTokensUpperBound(body);
  const prompt = new PromptCounter(model);
  for (const message of objectsOf(request['messages'])) addMessage(prompt, message);
  addTools(prompt, request);
  return yield* prompt.total(body.length);
}

function addMessage(prompt: PromptCounter, message: JsonObject): void {
  prompt.addMessage();
  prompt.addText(message['role']);
  prompt.addText(message['reasoning_content']);
  prompt.addName(message['name']);
  prompt.addText(message['content']);
  prompt.addText(message['refusal']);
  for (const part of objectsOf(message['content'])) addPart(prompt, part);
  // Images without a type were not checked, and the hold does not cover them.
  const images = objectsOf(message['images']).filter(({ type }) => typeof type === 'string');
  for (const image of images) addPart(prompt, image);
  for (const call of objectsOf(message['tool_calls'])) {
    addCall(prompt, call['function'] ?? call['custom']);
  }
  addCall(prompt, message['function_call']);
}

/** Tools and the form that a reply must have are in the prompt as text. */
function addTools(prompt: PromptCounter, request: JsonObject): void {
  const tools = [...objectsOf(request['tools']), ...objectsOf(request['functions'])];
  prompt.addTools(tools.map((tool) => tool['function'] ?? tool));
  const format = request['response_format'];
  if (isJsonObject(format) && isJsonObject(format['json_schema'])) {
    prompt.addText(JSON.stringify(format['json_schema']));
  }
}

function addPart(prompt: PromptCounter, part: JsonObject): void {
  const { type, text, refusal } = part;
  if (type === 'text') prompt.addText(text);
  else if (type === 'refusal') prompt.addText(refusal);
  // Parts of unknown kinds may be text by another name.
  else if (typeof text === 'string') prompt.addMediaText(text);
  else prompt.addMedia(mediaPartTokens(prompt.model, part));
}

function addCall(prompt: PromptCounter, call: unknown): void {
  if (isJsonObject(call)) prompt.addCall(call['name'], call['arguments'] ?? call['input']);
}

/** Never more than MEDIA_PART_TOKENS_MAX and the bytes of the part together. */
function mediaPartTokens(model: string, part: JsonObject): number {
  switch (part['type']) {
    case 'input_audio': {
      const audio = part['input_audio'];
      return isJsonObject(audio) ? audioTokens(audio['data'], audio['format']) : 0;
    }
    case 'file':
      return FILE_TOKENS;
    case 'image_url': {
      const image = part['image_url'];
      return imageTokens(model, isJsonObject(image) && image['detail'] === 'low');
    }
    default:
      return OTHER_MEDIA_TOKENS;
  }
}
