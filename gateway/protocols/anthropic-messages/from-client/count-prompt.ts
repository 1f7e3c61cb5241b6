import { isJsonObject, type JsonObject } from '../../../platform/json/json-value.ts';
import { FILE_TOKENS, imageTokens, OTHER_MEDIA_TOKENS } from '../../../tokens/media-tokens.ts';
import { objectsOf, PromptCounter, readPromptBody } from '../../../tokens/prompt-counter.ts';
import { unreadPromptTokensUpperBound } from '../../../tokens/prompt-upper-bound.ts';

const CLAUDE_MODEL = /claude/i;
/**
 * Claude's vocabulary is not published. Since 4.7 its models make about this many times the tokens
 * of OpenAI's; a count below the truth would let clients overflow the context.
 */
const CLAUDE_TOKENS_PER_COUNTED = 1.4;

/**
 * Tokens of a Messages request's prompt, never more than its upper bound. An estimate for Claude,
 * rather above the truth than below it; as `openai-chat` counts for other models.
 * @param body the request's JSON bytes, checked before
 */
export function* countPrompt(model: string, body: Uint8Array): Generator<undefined, number> {
  const request = readPromptBody(body);
  if (request === undefined) return unreadPromptTokensUpperBound(body);
  const prompt = new PromptCounter(model);
  addContent(prompt, request['system']);
  for (const message of objectsOf(request['messages'])) {
    prompt.addMessage();
    prompt.addText(message['role']);
    addContent(prompt, message['content']);
  }
  prompt.addTools(offeredTools(request));
  addFormat(prompt, request['output_config']);
  const counted = yield* prompt.total(body.length);
  if (!CLAUDE_MODEL.test(model)) return counted;
  return Math.max(counted, Math.min(Math.ceil(counted * CLAUDE_TOKENS_PER_COUNTED), body.length));
}

/** A tool whose definition is deferred is not in the prompt until it is looked for. */
function offeredTools(request: JsonObject): JsonObject[] {
  return objectsOf(request['tools']).filter((tool) => tool['defer_loading'] !== true);
}

function addFormat(prompt: PromptCounter, config: unknown): void {
  const format = isJsonObject(config) ? config['format'] : undefined;
  if (isJsonObject(format)) prompt.addText(JSON.stringify(format['schema']));
}

function addContent(prompt: PromptCounter, content: unknown): void {
  prompt.addText(content);
  for (const block of objectsOf(content)) addBlock(prompt, block);
}

function addBlock(prompt: PromptCounter, block: JsonObject): void {
  const { type, source } = block;
  switch (type) {
    case 'text':
      prompt.addText(block['text']);
      break;
    case 'thinking':
      prompt.addText(block['thinking']);
      break;
    case 'tool_use':
    case 'server_tool_use':
      prompt.addCall(block['name'], JSON.stringify(block['input'] ?? {}));
      break;
    case 'tool_result':
    case 'search_result':
      addContent(prompt, block['content']);
      break;
    case 'tool_reference':
      prompt.addText(block['tool_name']);
      break;
    case 'image':
      prompt.addMedia(imageTokens(prompt.model, false));
      break;
    case 'document':
      if (isJsonObject(source)) addDocument(prompt, source);
      break;
    case 'redacted_thinking':
      break;
    default:
      addOther(prompt, block);
  }
}

function addDocument(prompt: PromptCounter, source: JsonObject): void {
  if (source['type'] === 'text') prompt.addText(source['data']);
  else if (source['type'] === 'content') addContent(prompt, source['content']);
  else prompt.addMedia(FILE_TOKENS);
}

/** Results of tools that the upstream ran, and kinds yet unknown. */
function addOther(prompt: PromptCounter, block: JsonObject): void {
  if (block['content'] === undefined) prompt.addMedia(OTHER_MEDIA_TOKENS);
  else prompt.addText(JSON.stringify(block['content']));
}
