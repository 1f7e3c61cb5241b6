import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes `<date>.jsonl`, a line at a time as measurements are made, so that a run that breaks
 * leaves what it found.
 */
export interface Recorder {
  /** Path without an extension; plots stand next to the lines. */
  readonly path: string;
  write(line: { readonly line: string } & Readonly<Record<string, unknown>>): void;
}

/** `date` names the files: 2031-05-04T1530. */
export function openRecorder(folder: string, date: Date): Recorder {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, date.toISOString().slice(0, 16).replace(':', ''));
  const file = `${path}.jsonl`;
  writeFileSync(file, '');
  return {
    path,
    write: (line) => {
      appendFileSync(file, `${JSON.stringify(line, shorten)}\n`);
    },
  };
}

/** More digits than a measurement has only make files larger. */
function shorten(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value)
    ? Number(value.toPrecision(6))
    : value;
}
