import type { NeutralMessage } from '../../request.ts';
import type { Fit } from '../fit-request.ts';
import { mapSame } from '../map-same.ts';

/**
 * Leaves out empty texts and messages with nothing else: vendors refuse them, and clients send some
 * by mistake. Neighbouring messages of the assistant are one.
 */
export const fitParts: Fit = (request) => {
  const { messages } = request;
  const said = mergeAssistants(withoutBlank(mapSame(messages, withoutEmptyTexts)));
  return { request: said === messages ? request : { ...request, messages: said } };
};

/**
 * Returns the messages with neighbouring ones of the assistant joined, the same list where there
 * are none. Some protocols have each call of those at once in a message of its own.
 */
export function mergeAssistants(messages: readonly NeutralMessage[]): readonly NeutralMessage[] {
  const merged: NeutralMessage[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (message.role === 'assistant' && last?.role === 'assistant') {
      merged[merged.length - 1] = { role: 'assistant', parts: [...last.parts, ...message.parts] };
    } else merged.push(message);
  }
  return merged.length === messages.length ? messages : merged;
}

/** Returns the messages without those that have only white space; the same list without any. */
export function withoutBlank(messages: readonly NeutralMessage[]): readonly NeutralMessage[] {
  return messages.some(isBlank) ? messages.filter((message) => !isBlank(message)) : messages;
}

function isBlank({ parts }: NeutralMessage): boolean {
  return parts.every((part) => part.type === 'text' && part.text.trim() === '');
}

function withoutEmptyTexts(message: NeutralMessage): NeutralMessage {
  switch (message.role) {
    case 'system': {
      const parts = withoutEmpty(message.parts);
      return parts === message.parts ? message : { role: 'system', parts };
    }
    case 'user': {
      const parts = withoutEmpty(message.parts);
      return parts === message.parts ? message : { role: 'user', parts };
    }
    case 'assistant': {
      const parts = withoutEmpty(message.parts);
      return parts === message.parts ? message : { role: 'assistant', parts };
    }
    case 'tool': {
      const parts = mapSame(message.parts, (result) => {
        const content = withoutEmpty(result.content);
        return content === result.content ? result : { ...result, content };
      });
      return parts === message.parts ? message : { role: 'tool', parts };
    }
  }
}

type Part = NeutralMessage['parts'][number];

function withoutEmpty<Own extends Part>(parts: readonly Own[]): readonly Own[] {
  return parts.some(isEmpty) ? parts.filter((part) => !isEmpty(part)) : parts;
}

function isEmpty(part: Part): boolean {
  return part.type === 'text' && part.text === '';
}
