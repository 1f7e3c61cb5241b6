import {
  OPUS_PACKET_SAMPLES_MAX,
  OPUS_SAMPLES_PER_SECOND,
  opusPacketSamples,
} from './opus-packet.ts';

const PAGE_HEADER_BYTES = 27;
const FIRST_PAGE = 2;
const CONTINUED = 1;
const SEGMENT_BYTES_MAX = 255;
/** Logical streams of one file: audio, video, and chained recordings. */
const STREAMS_MAX = 64;
/** Pages of one file, which are a second of sound each; a file with more is not measured. */
const PAGES_MAX = 200_000;
/** An Opus stream begins with two packets of headers. */
const OPUS_HEADER_PACKETS = 2;

/** One logical stream: what its first page says, and what its pages have had so far. */
interface Stream {
  readonly codec: 'opus' | 'other';
  readonly samplesPerSecond: number;
  /** Samples at the beginning that are decoded and not played. */
  readonly preSkip: number;
  packets: number;
  packetSamples: number;
  granule: number;
}

/**
 * Returns the duration of an Ogg file with Opus, Vorbis, Speex or FLAC in milliseconds. Chained
 * recordings add up. Packets of Opus are counted: the position that its last page claims is used
 * only if it agrees.
 */
export function oggDuration(file: Buffer): {
  readonly ms: number | undefined;
  /** All of it is Opus. */
  readonly isCounted: boolean;
} {
  const streams: Stream[] = [];
  const open = new Map<number, Stream>();
  let at = 0;
  for (let pages = 0; at + PAGE_HEADER_BYTES <= file.length; pages += 1) {
    if (pages === PAGES_MAX) return { ms: undefined, isCounted: false };
    if (file.toString('latin1', at, at + 4) !== 'OggS') {
      // Damage: go on at the next page.
      at = file.indexOf('OggS', at + 1, 'latin1');
      if (at === -1) break;
      continue;
    }
    const segments = file[at + 26] ?? 0;
    const body = at + PAGE_HEADER_BYTES + segments;
    if (body > file.length) break;
    const table = file.subarray(at + PAGE_HEADER_BYTES, body);
    const end = body + table.reduce((sum, bytes) => sum + bytes, 0);
    const flags = file[at + 5] ?? 0;
    const serial = file.readUInt32LE(at + 14);
    if ((flags & FIRST_PAGE) !== 0 && streams.length < STREAMS_MAX) {
      const stream = openStream(file.subarray(body, end));
      open.set(serial, stream);
      streams.push(stream);
    }
    const stream = open.get(serial);
    if (stream !== undefined) {
      const granule = Number(file.readBigInt64LE(at + 6));
      if (granule >= 0) stream.granule = granule;
      if (stream.codec === 'opus') {
        countPackets(stream, { table, body: file.subarray(body), continued: flags & CONTINUED });
      }
    }
    at = end;
  }
  const ms = streams.reduce((sum, stream) => sum + streamMs(stream), 0);
  const isCounted = streams.every(({ codec }) => codec === 'opus');
  return { ms: ms > 0 ? ms : undefined, isCounted };
}

/** @param head the first packet of a logical stream */
function openStream(head: Buffer): Stream {
  const counts = { packets: 0, packetSamples: 0, granule: 0 };
  const text = head.toString('latin1', 0, 9);
  if (text.startsWith('OpusHead') && head.length >= 12) {
    const preSkip = head.readUInt16LE(10);
    return { codec: 'opus', samplesPerSecond: OPUS_SAMPLES_PER_SECOND, preSkip, ...counts };
  }
  return { codec: 'other', samplesPerSecond: rateOf(head, text), preSkip: 0, ...counts };
}

/** Returns the rate at which positions count; 0 of what is no audio that is known. */
function rateOf(head: Buffer, text: string): number {
  if (text.startsWith('\x01vorbis') && head.length >= 16) return head.readUInt32LE(12);
  if (text.startsWith('Speex   ') && head.length >= 40) return head.readUInt32LE(36);
  // 0x7f "FLAC", a version, the number of headers, then a FLAC file's beginning.
  if (text.startsWith('\x7fFLAC') && head.length >= 30) return head.readUIntBE(27, 3) >>> 4;
  return 0;
}

interface Page {
  readonly table: Buffer;
  /** The page's body, with all that follows it. */
  readonly body: Buffer;
  /** Not 0: its first packet began on the page before. */
  readonly continued: number;
}

function countPackets(stream: Stream, { table, body, continued }: Page): void {
  let at = 0;
  let isStart = continued === 0;
  for (const bytes of table) {
    if (isStart && at < body.length) {
      stream.packets += 1;
      if (stream.packets > OPUS_HEADER_PACKETS && bytes > 0) {
        stream.packetSamples += opusPacketSamples(body[at] ?? 0, body[at + 1] ?? 0);
      }
    }
    isStart = bytes < SEGMENT_BYTES_MAX;
    at += bytes;
  }
}

function streamMs({ codec, samplesPerSecond, preSkip, packetSamples, granule }: Stream): number {
  if (samplesPerSecond === 0) return 0;
  // The last page may end within a packet.
  const agrees = Math.abs(packetSamples - granule) <= OPUS_PACKET_SAMPLES_MAX;
  const samples = codec === 'other' || agrees ? granule : packetSamples;
  return (Math.max(0, samples - preSkip) * 1_000) / samplesPerSecond;
}
