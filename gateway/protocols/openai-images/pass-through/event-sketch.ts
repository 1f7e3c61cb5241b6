import { parseOwnObject, type OwnJsonObject } from '../../../platform/json/json-value.ts';
import type { Sketch } from './sketch.ts';

/** An event as far as it is read: without most of the image in it. */
export interface SketchedEvent {
  readonly name: string;
  /** The data as it was written, cut as above. */
  readonly text: string;
  readonly data: OwnJsonObject | undefined;
}

/** Reads an event from its sketch. */
export function readSketch({ bytes }: Sketch): SketchedEvent {
  const lines = bytes.toString('utf8').split(/\r?\n/);
  const values = (field: string): string[] =>
    lines
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).trim());
  const text = values('data').join('\n');
  return { name: values('event').at(-1) ?? '', text, data: parseOwnObject(Buffer.from(text)) };
}
