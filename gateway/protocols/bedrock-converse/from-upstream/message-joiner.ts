import {
  isOwnJsonObject,
  stringOf,
  type OwnJsonObject,
} from '../../../platform/json/json-value.ts';
import { OpenBlock } from './open-block.ts';

interface JoinedBlock {
  text: string;
  reasoning: string;
  hasReasoning: boolean;
  readonly blob: OpenBlock;
  toolUse: OwnJsonObject | undefined;
  input: string;
}

/** Joins the events of a stream to a whole reply. */
export class MessageJoiner {
  readonly #blocks = new Map<unknown, JoinedBlock>();
  #role = 'assistant';
  #end: OwnJsonObject | undefined;
  #metadata: OwnJsonObject = {};

  add(name: string, event: OwnJsonObject): void {
    const { contentBlockIndex: index } = event;
    switch (name) {
      case 'messageStart':
        this.#role = stringOf(event['role']) || this.#role;
        break;
      case 'contentBlockStart':
        this.#start(index, event['start']);
        break;
      case 'contentBlockDelta':
        this.#delta(index, event['delta']);
        break;
      case 'messageStop':
        this.#end = event;
        break;
      case 'metadata':
        this.#metadata = event;
        break;
      default:
    }
  }

  /** Undefined when the stream ended before the reply did. */
  reply(): OwnJsonObject | undefined {
    if (this.#end === undefined) return undefined;
    const content = [...this.#blocks.values()].flatMap(wholeBlock);
    return { output: { message: { role: this.#role, content } }, ...this.#end, ...this.#metadata };
  }

  #start(index: unknown, start: unknown): void {
    if (!isOwnJsonObject(start)) return;
    const { toolUse, image } = start;
    const block = this.#block(index);
    if (isOwnJsonObject(toolUse)) block.toolUse = toolUse;
    if (isOwnJsonObject(image)) block.blob.startImage(image['format']);
  }

  #delta(index: unknown, delta: unknown): void {
    if (!isOwnJsonObject(delta)) return;
    const { toolUse, reasoningContent, image } = delta;
    const block = this.#block(index);
    block.text += stringOf(delta['text']);
    if (isOwnJsonObject(toolUse)) block.input += stringOf(toolUse['input']);
    if (isOwnJsonObject(image)) block.blob.addImage(image);
    if (!isOwnJsonObject(reasoningContent)) return;
    block.hasReasoning = true;
    block.reasoning += stringOf(reasoningContent['text']);
    block.blob.addReasoning(reasoningContent);
  }

  #block(index: unknown): JoinedBlock {
    const known = this.#blocks.get(index);
    if (known !== undefined) return known;
    const block: JoinedBlock = {
      ...{ text: '', reasoning: '', hasReasoning: false, input: '' },
      blob: new OpenBlock(),
      toolUse: undefined,
    };
    this.#blocks.set(index, block);
    return block;
  }
}

function wholeBlock({
  text,
  reasoning,
  hasReasoning,
  blob,
  ...rest
}: JoinedBlock): OwnJsonObject[] {
  const { toolUse, input } = rest;
  if (toolUse !== undefined) return [{ toolUse: { ...toolUse, input: parsed(input) } }];
  if (blob.redacted !== '') return [{ reasoningContent: { redactedContent: blob.redacted } }];
  if (hasReasoning) {
    const { signature } = blob;
    const signed = signature === '' ? {} : { signature };
    return [{ reasoningContent: { reasoningText: { text: reasoning, ...signed } } }];
  }
  const { base64, mediaType } = blob.image;
  if (base64 !== '') {
    const format = mediaType.slice('image/'.length);
    return [{ image: { format, source: { bytes: base64 } } }];
  }
  return text === '' ? [] : [{ text }];
}

/** Input that is no JSON was cut off, by a limit. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return {};
  }
}
