import type { OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { SseParser } from '../../sse/sse-parser.ts';

const LF = 0x0a;
const NAME_AND_DATA_BYTES = 'event: \ndata: \n\n'.length;

/** Whether an event has nothing that Weir must know. */
export function isRepetition(name: string): boolean {
  if (name.endsWith('.done')) return name !== 'response.output_item.done';
  return name.endsWith('_part.added');
}

export function hasError({ type, error }: OwnJsonObject): boolean {
  return type === undefined && error !== undefined && error !== null;
}

/** Whether a block is its event's name and one line of data, and nothing else. */
export function isCanonical(
  { bytes, blockStart, blockEnd, data, eventName }: SseParser,
  type: string,
) {
  return (
    eventName === type &&
    blockEnd - blockStart === NAME_AND_DATA_BYTES + type.length + data.length &&
    bytes[blockEnd - 1] === LF &&
    bytes[blockEnd - 2] === LF &&
    !data.includes(LF)
  );
}
