import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { FILE_TOKENS } from '../../../tokens/media-tokens.ts';
import { PromptCounter, readPromptBody } from '../../../tokens/prompt-counter.ts';
import { unreadPromptTokensUpperBound } from '../../../tokens/prompt-upper-bound.ts';
import { fieldOf, listOf } from '../fields.ts';

/**
 * Gemini 3 counts so many for an image unless another resolution is asked for; older ones 258 a
 * tile.
 */
const IMAGE_TOKENS = 1_120;
/** 32 a second of audio, of which 128 kbit/s make 16,000 bytes. */
const AUDIO_BYTES_PER_TOKEN = 500;
const BASE64_LETTERS_PER_BYTE = 4 / 3;

/**
 * Tokens of a request's prompt, never more than its upper bound: near for text, an estimate for
 * images, audio and files.
 * @param body the request's JSON bytes, checked before
 */
export function* countPrompt(model: string, body: Uint8Array): Generator<undefined, number> {
  const read = readPromptBody(body);
  if (read === undefined) return unreadPromptTokensUpperBound(body);
  const within = fieldOf(read, 'generateContentRequest');
  const request = isJsonObject(within) ? within : read;
  const prompt = new PromptCounter(model);
  addContent(prompt, fieldOf(request, 'systemInstruction'));
  for (const content of listOf(request['contents'])) addContent(prompt, content);
  // Of requests for embeddings.
  for (const asked of [request, ...listOf(request['requests'])]) {
    if (isJsonObject(asked)) addContent(prompt, asked['content']);
  }
  addTools(prompt, request);
  return yield* prompt.total(body.length);
}

function addContent(prompt: PromptCounter, content: unknown): void {
  if (typeof content === 'string') prompt.addText(content);
  if (!isJsonObject(content)) return;
  prompt.addMessage();
  prompt.addText(content['role']);
  addParts(prompt, content);
}

function addParts(prompt: PromptCounter, content: JsonObject): void {
  for (const part of listOf(content['parts'])) if (isJsonObject(part)) addPart(prompt, part);
}

function addPart(prompt: PromptCounter, part: JsonObject): void {
  prompt.addText(part['text']);
  const call = fieldOf(part, 'functionCall');
  if (isJsonObject(call)) prompt.addCall(call['name'], JSON.stringify(call['args'] ?? {}));
  const response = fieldOf(part, 'functionResponse');
  if (isJsonObject(response)) {
    prompt.addCall(response['name'], JSON.stringify(response['response'] ?? {}));
    addParts(prompt, response);
  }
  const inline = fieldOf(part, 'inlineData');
  if (isJsonObject(inline)) prompt.addMedia(mediaTokens(inline));
  if (fieldOf(part, 'fileData') !== undefined) prompt.addMedia(FILE_TOKENS);
}

function mediaTokens(inline: JsonObject): number {
  const { data } = inline;
  const mediaType = String(fieldOf(inline, 'mimeType'));
  if (mediaType.startsWith('image/')) return IMAGE_TOKENS;
  const bytes = typeof data === 'string' ? data.length / BASE64_LETTERS_PER_BYTE : 0;
  return mediaType.startsWith('audio/') ? Math.ceil(bytes / AUDIO_BYTES_PER_TOKEN) : FILE_TOKENS;
}

/** Tools, and the form that a reply must have, are in the prompt as text. */
function addTools(prompt: PromptCounter, request: JsonObject): void {
  const tools = listOf(request['tools']).filter(isJsonObject);
  prompt.addTools(tools.flatMap((tool) => listOf(fieldOf(tool, 'functionDeclarations'))));
  const config = fieldOf(request, 'generationConfig');
  if (!isJsonObject(config)) return;
  const schema = fieldOf(config, 'responseJsonSchema') ?? fieldOf(config, 'responseSchema');
  if (schema !== undefined) prompt.addText(JSON.stringify(schema));
}
