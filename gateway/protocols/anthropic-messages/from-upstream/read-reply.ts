import {
  isJsonObject,
  parseOwnObject,
  stringOf,
  type JsonObject,
} from '../../../platform/json/json-value.ts';
import { withoutByteOrderMark } from '../../../platform/json/utf8-text.ts';
import type { NeutralReply } from '../../neutral-form/reply.ts';
import type { AssistantPart } from '../../neutral-form/request.ts';
import { readCitations } from '../wire/citations.ts';
import { endReason, isFreeRefusal } from '../wire/end-reason.ts';
import { proofOf } from '../wire/proofs.ts';
import { readUsage } from '../usage.ts';

/** An upstream's whole reply; undefined when it is no message. */
export function readReply(received: Buffer): NeutralReply | undefined {
  const reply = parseOwnObject(withoutByteOrderMark(received));
  const content = reply?.['content'];
  if (reply === undefined || reply['type'] === 'error' || !Array.isArray(content)) return undefined;
  const stopSequence = stringOf(reply['stop_sequence']);
  return {
    id: stringOf(reply['id']),
    parts: readContent(content.filter(isJsonObject)),
    end: endReason(reply['stop_reason']),
    ...(stopSequence === '' ? {} : { stopSequence }),
    isFree: isFreeRefusal(reply['stop_reason'], content.length > 0),
    usage: readUsage(reply['usage']) ?? null,
  };
}

function readContent(blocks: readonly JsonObject[]): AssistantPart[] {
  let characters = 0;
  return blocks.flatMap((block) =>
    readBlock(block).map((part) => {
      if (part.type !== 'text') return part;
      const start = characters;
      characters += part.text.length;
      const citations = readCitations(block['citations'], { start, end: characters });
      return citations.length === 0 ? part : { ...part, citations };
    }),
  );
}

/** Blocks of tools that the upstream runs have no place in another protocol. */
export function readBlock(block: JsonObject): AssistantPart[] {
  switch (block['type']) {
    case 'text':
      return block['text'] === '' ? [] : [{ type: 'text', text: stringOf(block['text']) }];
    case 'thinking': {
      const proof = proofOf(stringOf(block['signature']));
      const text = stringOf(block['thinking']);
      return [{ type: 'reasoning', text, ...(proof === null ? {} : { proof }) }];
    }
    case 'redacted_thinking': {
      const proof = proofOf(stringOf(block['data']), true);
      return proof === null ? [] : [{ type: 'reasoning', text: '', proof }];
    }
    case 'tool_use':
      return [
        {
          type: 'tool_call',
          id: stringOf(block['id']),
          name: stringOf(block['name']),
          input: JSON.stringify(block['input'] ?? {}),
          freeForm: false,
        },
      ];
    default:
      return [];
  }
}
