const HEADER_BYTES = 8;
const LONG_HEADER_BYTES = 16;
/** Boxes read of one file. Fragmented recordings have a few for each second. */
const BOXES_MAX = 200_000;
/** Entries read of all tables. */
const ENTRIES_MAX = 2_000_000;

/** Flags of the fields in a fragment's defaults (`tfhd`) and of its samples (`trun`). */
const TFHD_FIELDS = [
  [0x1, 8],
  [0x2, 4],
] as const;
const TFHD_DURATION = 0x8;
const TRUN_FIELDS = [
  [0x1, 4],
  [0x4, 4],
] as const;
const TRUN_DURATION = 0x100;
const TRUN_SAMPLE_FIELDS = [0x100, 0x200, 0x400, 0x800];

interface Box {
  readonly type: string;
  readonly body: Buffer;
}

interface Track {
  readonly isAudio: boolean;
  readonly unitsPerSecond: number;
  /** The units of its samples so far. */
  units: number;
  /** The duration of a fragment's sample that names none. */
  defaultUnits: number;
}

/** Keeps the work within bounds, whatever the tables claim. */
interface Budget {
  boxes: number;
  entries: number;
}

/**
 * Returns the duration of an MP4, M4A or QuickTime file in milliseconds: that of its longest track
 * of sound; undefined if it has none. The samples are added up, those of fragments too. The
 * duration that a header claims is not used.
 */
export function mp4DurationMs(file: Buffer): number | undefined {
  const budget: Budget = { boxes: BOXES_MAX, entries: ENTRIES_MAX };
  const tracks = new Map<number, Track>();
  for (const { type, body } of boxesIn(file, budget)) {
    if (type === 'moov') readTracks(body, tracks, budget);
    if (type === 'moof') addFragments(body, tracks, budget);
  }
  let longestMs = 0;
  for (const { isAudio, unitsPerSecond, units } of tracks.values()) {
    if (!isAudio || unitsPerSecond === 0) continue;
    longestMs = Math.max(longestMs, (units * 1_000) / unitsPerSecond);
  }
  return longestMs > 0 ? longestMs : undefined;
}

function* boxesIn(bytes: Buffer, budget: Budget): Generator<Box> {
  let at = 0;
  while (at + HEADER_BYTES <= bytes.length && budget.boxes > 0) {
    budget.boxes -= 1;
    let size = bytes.readUInt32BE(at);
    let header = HEADER_BYTES;
    const type = bytes.toString('latin1', at + 4, at + 8);
    // 0: up to the end of the file; 1: a size of 64 bits follows.
    if (size === 0) size = bytes.length - at;
    if (size === 1) {
      if (at + LONG_HEADER_BYTES > bytes.length) return;
      size = Number(bytes.readBigUInt64BE(at + HEADER_BYTES));
      header = LONG_HEADER_BYTES;
    }
    if (size < header) return;
    yield { type, body: bytes.subarray(at + header, at + size) };
    at += size;
  }
}

/** Returns the body of the first box at a path; undefined if there is none. */
function find(bytes: Buffer, path: readonly string[], budget: Budget): Buffer | undefined {
  let body: Buffer | undefined = bytes;
  for (const type of path) {
    if (body === undefined) return undefined;
    body = firstOf(body, type, budget);
  }
  return body;
}

function firstOf(bytes: Buffer, type: string, budget: Budget): Buffer | undefined {
  for (const box of boxesIn(bytes, budget)) if (box.type === type) return box.body;
  return undefined;
}

function readTracks(moov: Buffer, tracks: Map<number, Track>, budget: Budget): void {
  for (const { type, body } of boxesIn(moov, budget)) {
    if (type !== 'trak') continue;
    const head = find(body, ['tkhd'], budget);
    const media = find(body, ['mdia', 'mdhd'], budget);
    const handler = find(body, ['mdia', 'hdlr'], budget);
    if (head === undefined || media === undefined) continue;
    // Times have 64 bits in version 1.
    const id = uint32(head, head[0] === 1 ? 20 : 12);
    const unitsPerSecond = uint32(media, media[0] === 1 ? 20 : 12);
    const samples = find(body, ['mdia', 'minf', 'stbl', 'stts'], budget);
    tracks.set(id, {
      isAudio: handler?.toString('latin1', 8, 12) === 'soun',
      unitsPerSecond,
      units: samples === undefined ? 0 : sumSamples(samples, budget),
      defaultUnits: 0,
    });
  }
  const extended = find(moov, ['mvex'], budget);
  if (extended === undefined) return;
  for (const { type, body } of boxesIn(extended, budget)) {
    const track = type === 'trex' ? tracks.get(uint32(body, 4)) : undefined;
    if (track !== undefined) track.defaultUnits = uint32(body, 12);
  }
}

/** @param stts pairs of a number of samples and their duration */
function sumSamples(stts: Buffer, budget: Budget): number {
  const entries = Math.min(uint32(stts, 4), Math.floor((stts.length - 8) / 8), budget.entries);
  budget.entries -= Math.max(0, entries);
  let units = 0;
  for (let entry = 0; entry < entries; entry += 1) {
    units += uint32(stts, 8 + entry * 8) * uint32(stts, 12 + entry * 8);
  }
  return units;
}

function addFragments(moof: Buffer, tracks: Map<number, Track>, budget: Budget): void {
  for (const { type, body } of boxesIn(moof, budget)) {
    if (type !== 'traf') continue;
    const head = find(body, ['tfhd'], budget);
    const track = head === undefined ? undefined : tracks.get(uint32(head, 4));
    if (head === undefined || track === undefined) continue;
    const flags = uint32(head, 0) & 0xffffff;
    const place = TFHD_FIELDS.reduce((at, [flag, size]) => (flags & flag ? at + size : at), 8);
    const usual = flags & TFHD_DURATION ? uint32(head, place) : track.defaultUnits;
    for (const run of boxesIn(body, budget)) {
      if (run.type === 'trun') track.units += sumRun(run.body, usual, budget);
    }
  }
}

function sumRun(run: Buffer, usual: number, budget: Budget): number {
  const flags = uint32(run, 0) & 0xffffff;
  const samples = uint32(run, 4);
  if ((flags & TRUN_DURATION) === 0) return samples * usual;
  const begin = TRUN_FIELDS.reduce((at, [flag, size]) => (flags & flag ? at + size : at), 8);
  const width = TRUN_SAMPLE_FIELDS.filter((flag) => flags & flag).length * 4;
  const there = Math.min(samples, Math.floor((run.length - begin) / width), budget.entries);
  budget.entries -= Math.max(0, there);
  let units = 0;
  for (let sample = 0; sample < there; sample += 1) units += uint32(run, begin + sample * width);
  return units;
}

/** Returns the number at a place; 0 behind the end. */
function uint32(bytes: Buffer, at: number): number {
  return at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0;
}
