import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LogFile, type LogOutage } from '../../../../gateway/platform/telemetry/log-file.ts';

let folder: string;
let descriptor: number;

beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'weir-log-'));
  descriptor = fs.openSync(join(folder, 'log'), 'a');
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  fs.closeSync(descriptor);
  fs.rmSync(folder, { recursive: true });
});

const written = (): string => fs.readFileSync(join(folder, 'log'), 'utf8');

type Write = (target: number, bytes: Uint8Array, done: () => void) => void;

const write = fs.write.bind(fs) as Write;

function replaceWrite(replacement: Write): void {
  vi.spyOn(fs, 'write').mockImplementation(replacement as typeof fs.write);
  syncBuiltinESMExports();
}

function open(bufferBytesMax = 1_000) {
  const log = new LogFile({ descriptor, writeBytesMax: 16, bufferBytesMax, retryMs: 1 });
  const outages: LogOutage[] = [];
  log.onRecovered((outage) => outages.push(outage));
  return { log, outages };
}

it('keeps the order of lines, in writes that other threads cannot split', async () => {
  const sizes: number[] = [];
  replaceWrite((target, bytes, done) => {
    sizes.push(bytes.length);
    write(target, bytes, done);
  });
  const { log } = open();
  for (let line = 1; line <= 9; line += 1) log.write(`line ${line}\n`);
  await new Promise<void>((resolve) => log.flush(resolve));
  expect(written()).toBe(Array.from({ length: 9 }, (_, index) => `line ${index + 1}\n`).join(''));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(16);
});

it('that cannot be written is written later, and reported once with what was lost', async () => {
  const full = fs.openSync('/dev/full', 'w');
  let isFull = true;
  let tries = 0;
  replaceWrite((target, bytes, done) => {
    tries += 1;
    write(isFull ? full : target, bytes, done);
  });
  const { log, outages } = open(20);
  log.write('kept\n');
  await expect.poll(() => tries).toBeGreaterThan(3);
  log.write('also kept\n');
  log.write('lost\nlost, too\n');
  await new Promise<void>((resolve) => log.flush(resolve));
  expect(outages).toEqual([]);
  isFull = false;
  await expect.poll(written).toBe('kept\nalso kept\n');
  expect(outages).toEqual([expect.objectContaining({ cause: 'ENOSPC', linesLost: 2 })]);
  log.write('next\n');
  await expect.poll(written).toBe('kept\nalso kept\nnext\n');
  expect(outages).toHaveLength(1);
  fs.closeSync(full);
});

it('does not keep the process from its end when it cannot be written', () => {
  const full = fs.openSync('/dev/full', 'w');
  const log = new LogFile({ descriptor: full, writeBytesMax: 16, bufferBytesMax: 1_000 });
  log.write('first\n');
  log.write('second\n');
  log.flushSync();
  // The descriptor stays open: the log goes on trying, and its number would soon be another file's.
});
