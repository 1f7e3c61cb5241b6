import type { NeutralMessage } from '../../request.ts';
import type { Fit } from '../fit-request.ts';
import { mapSame } from '../map-same.ts';
import { withoutBlank } from './blank-messages.ts';
import { mergeAssistants } from './merge-assistants.ts';

/**
 * Leaves out empty texts and messages with nothing else: vendors refuse them, and clients send some
 * by mistake. Neighbouring messages of the assistant are one.
 */
export const fitParts: Fit = (request) => {
  const { messages } = request;
  const said = mergeAssistants(withoutBlank(mapSame(messages, withoutEmptyTexts)));
  return { request: said === messages ? request : { ...request, messages: said } };
};

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
