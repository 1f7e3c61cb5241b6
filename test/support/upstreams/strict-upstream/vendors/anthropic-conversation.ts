import { says } from '../checks.ts';
import { items, text, valueAt, type Json, type Rule } from '../rule.ts';
import { UNPROVEN } from '../words.ts';

const EMPTY = 'litellm 1.110.2 llms/anthropic/common_utils.py, line 2115';

export function isThinking(body: Json): boolean {
  return ['enabled', 'adaptive'].includes(text(valueAt(body, 'thinking.type')));
}

function blocksOf(content: unknown): readonly Json[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return items(content).map(([, block]) => block);
}

function idsOf(blocks: readonly Json[], type: string, key: string): string[] {
  return blocks.filter((block) => block['type'] === type).map((block) => text(block[key]));
}

/** Each `tool_use` has its result in the next message, and each result its `tool_use` before it. */
function checkResults(messages: readonly (readonly [number, Json])[]): string | undefined {
  let open: readonly string[] = [];
  for (const [at, { role, content }] of messages) {
    if (role === 'system') continue;
    const blocks = blocksOf(content);
    const results = idsOf(blocks, 'tool_result', 'tool_use_id');
    const missing = open.filter((id) => !results.includes(id));
    if (missing.length > 0) {
      return `messages.${String(at)}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    }
    const orphan = results.find((id) => !open.includes(id));
    if (orphan !== undefined) {
      return `messages.${String(at)}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    }
    const firstOther = blocks.findIndex((block) => block['type'] !== 'tool_result');
    const lastResult = blocks.findLastIndex((block) => block['type'] === 'tool_result');
    if (firstOther !== -1 && firstOther < lastResult) {
      return `messages.${String(at)}: \`tool_result\` blocks must come first in the content of the message behind \`tool_use\` blocks.`;
    }
    open = role === 'assistant' ? idsOf(blocks, 'tool_use', 'id') : [];
  }
  return open.length === 0
    ? undefined
    : `messages.${String(messages.length - 1)}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}.`;
}

function checkTexts(body: Json): string | undefined {
  const last = items(body['messages']).length - 1;
  for (const [at, { role, content }] of items(body['messages'])) {
    const blocks = blocksOf(content);
    const isOptional = at === last && role === 'assistant';
    if (blocks.length === 0 || content === '') {
      if (isOptional) continue;
      return `messages.${String(at)}: all messages must have non-empty content except for the optional final assistant message`;
    }
    const texts = blocks.filter(({ type }) => type === 'text').map((block) => text(block['text']));
    if (texts.includes('')) return 'messages: text content blocks must be non-empty';
    if (texts.some((said) => said.trim() === '')) {
      return 'messages: text content blocks must contain non-whitespace text';
    }
  }
  const system = Array.isArray(body['system']) ? blocksOf(body['system']) : [];
  return system.some((block) => block['text'] === '')
    ? 'system: text content blocks must be non-empty'
    : undefined;
}

/** The rules of conversations, for every family. */
export const conversationRules: readonly Rule[] = [
  says('messages', EMPTY, checkTexts),
  says('tool results', 'anthropics/claude-code#2697', ({ messages }) =>
    checkResults(items(messages)),
  ),
  says('call id', UNPROVEN, (_body, { calls }) =>
    new Set(calls.map(({ id }) => id)).size < calls.length
      ? 'messages: `tool_use` ids must be unique'
      : undefined,
  ),
  says('thinking block', 'litellm common_utils.py, line 2117', ({ messages }) => {
    for (const [at, { content }] of items(messages)) {
      for (const [index, block] of items(content)) {
        if (block['type'] !== 'thinking') continue;
        const place = `messages.${String(at)}.content.${String(index)}.thinking`;
        if (block['signature'] === undefined) return `${place}.signature: Field required`;
        if (text(block['thinking']) === '' && text(block['signature']) === '') {
          return `${place}: each thinking block must contain thinking`;
        }
      }
    }
    return undefined;
  }),
];
