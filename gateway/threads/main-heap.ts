import { setFlagsFromString } from 'node:v8';

/**
 * Leaves the size of the heap with which the process was started to the main thread alone. `npm start` and the image start it with
 * `--initial-old-space-size`: its heap hardly grows, but the texts that the drain carries from Redis to PostgreSQL count as its memory, and V8
 * collected the whole heap for ten megabytes of them, more than once a second. It reads the flag when a heap is made, so it is
 * taken back before there are other threads: those are to collect what ten thousand streams leave behind.
 */
export function keepHeapSizeToMain(): void {
  setFlagsFromString('--initial-old-space-size=0');
}
