import { OPUS_SAMPLES_PER_SECOND, opusPacketSamples } from './opus-packet.ts';

/** Elements read of one file, such as a block for each 20 ms; one with more is not measured. */
const ELEMENTS_MAX = 500_000;
const NANOSECONDS_PER_MS = 1_000_000;
/** Nanoseconds per unit of a timestamp where the file names none. */
const TIMESTAMP_SCALE_DEFAULT = 1_000_000;
const AUDIO_TRACK = 2;
const LENGTH_BYTES_MAX = 8;
const ID_BYTES_MAX = 4;

/** Element ids of Matroska that are read (RFC 9559). */
const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const TIMESTAMP_SCALE = 0x2ad7b1;
const DURATION = 0x4489;
const TRACKS = 0x1654ae6b;
const TRACK_ENTRY = 0xae;
const TRACK_NUMBER = 0xd7;
const TRACK_TYPE = 0x83;
const CODEC_ID = 0x86;
const CLUSTER = 0x1f43b675;
const TIMESTAMP = 0xe7;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const SIMPLE_BLOCK = 0xa3;

/** Elements whose children are read as if they had no parent: this holds any nesting at bay. */
const PARENTS: ReadonlySet<number> = new Set([
  SEGMENT,
  INFO,
  TRACKS,
  TRACK_ENTRY,
  CLUSTER,
  BLOCK_GROUP,
]);

interface Reading {
  scale: number;
  /** The header's duration, in units. */
  claimed: number;
  /** The end of the last block of sound, in nanoseconds. */
  endNs: number;
  clusterUnits: number;
  track: number;
  readonly audio: Map<number, { isOpus: boolean }>;
  type: number;
}

/**
 * Returns the duration of a WebM or Matroska file in milliseconds; undefined if it is unknown.
 * Recordings of browsers claim none. The end of the last block of sound is compared with the claim,
 * and the later one counts.
 */
export function webmDurationMs(file: Buffer): number | undefined {
  const reading: Reading = {
    scale: TIMESTAMP_SCALE_DEFAULT,
    claimed: 0,
    endNs: 0,
    clusterUnits: 0,
    track: 0,
    audio: new Map(),
    type: 0,
  };
  let at = 0;
  for (let count = 0; at < file.length; count += 1) {
    if (count === ELEMENTS_MAX) return undefined;
    const id = readId(file, at);
    const size = id && readLength(file, at + id.bytes);
    if (id === undefined || size === undefined) break;
    const begin = at + id.bytes + size.bytes;
    if (PARENTS.has(id.value)) {
      if (id.value === TRACK_ENTRY) Object.assign(reading, { track: 0, type: 0 });
      at = begin;
      continue;
    }
    // Only parents may have no size.
    if (size.value === Infinity) break;
    read(reading, id.value, file.subarray(begin, begin + size.value));
    at = begin + size.value;
  }
  if (reading.audio.size === 0) return undefined;
  const ns = Math.max(reading.claimed * reading.scale, reading.endNs);
  return Number.isFinite(ns) && ns > 0 ? ns / NANOSECONDS_PER_MS : undefined;
}

function read(reading: Reading, id: number, body: Buffer): void {
  switch (id) {
    case TIMESTAMP_SCALE:
      reading.scale = unsigned(body);
      return;
    case DURATION:
      reading.claimed = float(body);
      return;
    case TRACK_NUMBER:
      reading.track = unsigned(body);
      noteTrack(reading);
      return;
    case TRACK_TYPE:
      reading.type = unsigned(body);
      noteTrack(reading);
      return;
    case CODEC_ID: {
      const track = reading.audio.get(reading.track);
      if (track !== undefined) track.isOpus = body.toString('latin1') === 'A_OPUS';
      return;
    }
    case TIMESTAMP:
      reading.clusterUnits = unsigned(body);
      return;
    case BLOCK:
    case SIMPLE_BLOCK:
      readBlock(reading, body);
  }
}

function noteTrack({ audio, track, type }: Reading): void {
  if (track > 0 && type === AUDIO_TRACK && !audio.has(track)) audio.set(track, { isOpus: false });
}

/** A block: its track, a signed timestamp within the cluster, flags, then the packet. */
function readBlock(reading: Reading, body: Buffer): void {
  const number = readLength(body, 0);
  const track = number && reading.audio.get(number.value);
  if (number === undefined || track === undefined || body.length < number.bytes + 3) return;
  const units = reading.clusterUnits + body.readInt16BE(number.bytes);
  const packet = number.bytes + 3;
  const samples = track.isOpus ? opusPacketSamples(body[packet] ?? 0, body[packet + 1] ?? 0) : 0;
  const endNs = units * reading.scale + (samples * 1e9) / OPUS_SAMPLES_PER_SECOND;
  reading.endNs = Math.max(reading.endNs, endNs);
}

interface Sized {
  readonly value: number;
  readonly bytes: number;
}

function readId(file: Buffer, at: number): Sized | undefined {
  const bytes = Math.clz32((file[at] ?? 0) << 24) + 1;
  if (bytes > ID_BYTES_MAX || at + bytes > file.length) return undefined;
  return { value: file.readUIntBE(at, bytes), bytes };
}

/** Reads a length, or a track's number, which is written like one; Infinity where it is unknown. */
function readLength(file: Buffer, at: number): Sized | undefined {
  const first = file[at] ?? 0;
  const bytes = Math.clz32(first << 24) + 1;
  if (bytes > LENGTH_BYTES_MAX || at + bytes > file.length) return undefined;
  let value = first & (0xff >>> bytes);
  let isUnknown = value === 0xff >>> bytes;
  for (const byte of file.subarray(at + 1, at + bytes)) {
    value = value * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  return { value: isUnknown ? Infinity : value, bytes };
}

function unsigned(body: Buffer): number {
  return body.length > 0 && body.length <= 6 ? body.readUIntBE(0, body.length) : 0;
}

function float(body: Buffer): number {
  if (body.length === 4) return body.readFloatBE(0);
  return body.length === 8 ? body.readDoubleBE(0) : 0;
}
