import { SseParser } from './sse-parser.ts';

/** One event of a stream that is all there. */
export interface ReadEvent {
  /** '' when it has none. */
  readonly name: string;
  readonly data: Buffer;
}

/** The events of a whole stream, also one that ends without its last blank line. */
export function readEvents(stream: Buffer): ReadEvent[] {
  const parser = new SseParser(Infinity);
  const events: ReadEvent[] = [];
  const read = (): void => {
    while (parser.hasRest && parser.next() === 'event') {
      events.push({ name: parser.eventName, data: parser.data });
    }
  };
  parser.feed(stream);
  read();
  parser.finish();
  read();
  return events;
}
