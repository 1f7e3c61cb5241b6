import { existsSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { RedisClient } from '../../gateway/stores/redis/connect.ts';

const NOTE_EVERY_MS = 25;
const NOTES_MAX = 400;

/**
 * Redis' append-only file, and how long it was when: cut to what it was a second ago, it is what a
 * power cut leaves of it under `appendfsync everysec`. SIGKILL alone loses hardly anything, because
 * the system keeps what was written.
 */
export class AppendLog {
  readonly folder: string;
  readonly #timer: NodeJS.Timeout;
  #notes: { readonly atMs: number; readonly bytes: number }[] = [];

  private constructor(folder: string) {
    this.folder = folder;
    this.#timer = setInterval(this.#note, NOTE_EVERY_MS);
    this.#timer.unref();
  }

  static async watch(client: RedisClient): Promise<AppendLog> {
    const [, folder = ''] = (await client.call('CONFIG', 'GET', 'dir')) as string[];
    return new AppendLog(folder);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * Takes away what was written in the last `lostMs`; Redis must be down. Answers how many bytes
   * that was.
   */
  cut(lostMs: number): number {
    const path = this.#path();
    if (path === undefined) return 0;
    const { size } = statSync(path);
    const keptMs = Date.now() - lostMs;
    const note = this.#notes.findLast(({ atMs }) => atMs <= keptMs);
    const bytes = Math.min(note?.bytes ?? size, size);
    truncateSync(path, bytes);
    this.#notes = [];
    return size - bytes;
  }

  /** Takes away everything; Redis must be down. */
  remove(): void {
    rmSync(join(this.folder, 'appendonlydir'), { recursive: true, force: true });
    this.#notes = [];
  }

  readonly #note = (): void => {
    const path = this.#path();
    if (path === undefined) return;
    this.#notes.push({ atMs: Date.now(), bytes: statSync(path).size });
    if (this.#notes.length > NOTES_MAX) this.#notes.splice(0, NOTES_MAX / 2);
  };

  #path(): string | undefined {
    const folder = join(this.folder, 'appendonlydir');
    if (!existsSync(folder)) return undefined;
    const name = readdirSync(folder).find((file) => file.endsWith('.incr.aof'));
    return name === undefined ? undefined : join(folder, name);
  }
}
