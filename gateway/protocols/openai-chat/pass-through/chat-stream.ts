import type { ChunkFormat } from '../../openai-family/chunks/chunk-reader.ts';
import { ChunkStream, type ChunkStreamOptions } from '../../openai-family/chunks/chunk-stream.ts';
import { CHAT_REPLY_FIELDS } from '../from-upstream/known-fields.ts';
import { ChoiceState } from '../from-upstream/choice-state.ts';

const CHAT_CHUNKS: ChunkFormat = {
  object: 'chat.completion.chunk',
  knownFields: CHAT_REPLY_FIELDS,
  openChoice: () => new ChoiceState({ completesCalls: true }),
  ending: () => ({ delta: {} }),
};

/** A stream of chat completions, for a client of the same. */
export class ChatStream extends ChunkStream {
  constructor(options: ChunkStreamOptions) {
    super(options, CHAT_CHUNKS);
  }
}
