/** A few bytes of each container, made without an encoder: silence behind its headers. */

function u16le(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32le(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** Mono PCM of 16 bits at 8,000 samples per second. @param claimed the size in the data chunk */
export function wavOf(ms: number, claimed = ms * 16): Buffer {
  const format = [u16le(1), u16le(1), u32le(8_000), u32le(16_000), u16le(2), u16le(16)];
  return Buffer.concat([
    Buffer.from('RIFF\xff\xff\xff\xffWAVEfmt ', 'latin1'),
    ...[u32le(16), ...format, Buffer.from('data'), u32le(claimed)],
    Buffer.alloc(ms * 16),
  ]);
}

/** A frame of MPEG 1, layer III, at 44,100 samples per second: 1,152 samples, about 26 ms. */
export function mp3Frame(kbitsIndex: number, content = ''): Buffer {
  const kbits = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128][kbitsIndex] ?? 0;
  const frame = Buffer.alloc(Math.floor((144 * kbits * 1_000) / 44_100));
  Buffer.from([0xff, 0xfb, kbitsIndex << 4, 0xc0]).copy(frame);
  frame.write(content, 36, 'latin1');
  return frame;
}

interface OggPage {
  readonly packets: readonly Buffer[];
  readonly granule: number;
  readonly first?: boolean;
}

function oggPage({ packets, granule, first = false }: OggPage): Buffer {
  const head = Buffer.alloc(27);
  head.write('OggS', 'latin1');
  head[5] = first ? 2 : 0;
  head.writeBigInt64LE(BigInt(granule), 6);
  head.writeUInt32LE(7, 14);
  head[26] = packets.length;
  return Buffer.concat([head, Buffer.from(packets.map(({ length }) => length)), ...packets]);
}

/** Packets of 20 ms, and a last page that claims a position in samples at 48 kHz. */
export function opusOf(packets: number, granule = packets * 960): Buffer {
  const head = Buffer.concat([
    Buffer.from('OpusHead\x01\x01', 'latin1'),
    u16le(312),
    u32le(48_000),
    Buffer.alloc(3),
  ]);
  // Configuration 31 is CELT with frames of 20 ms; code 0 is one frame.
  const packet = Buffer.from([31 << 3, 0, 0]);
  return Buffer.concat([
    oggPage({ packets: [head], granule: 0, first: true }),
    oggPage({ packets: [Buffer.from('OpusTags')], granule: 0 }),
    oggPage({ packets: Array.from({ length: packets }, () => packet), granule }),
  ]);
}

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
}

function track(handler: string, samples: number): Buffer {
  return box(
    'trak',
    box('tkhd', Buffer.alloc(12), u32(1), Buffer.alloc(60)),
    box(
      'mdia',
      box('mdhd', Buffer.alloc(12), u32(16_000), u32(999), Buffer.alloc(4)),
      box('hdlr', Buffer.alloc(8), Buffer.from(handler), Buffer.alloc(12)),
      box('minf', box('stbl', box('stts', u32(0), u32(1), u32(samples), u32(1_024)))),
    ),
  );
}

/** One track with samples of 1,024 units at 16,000 units per second: 64 ms each. */
export function mp4Of(samples: number, { handler = 'soun', fragmentSamples = 0 } = {}): Buffer {
  const fragment = box(
    'moof',
    box(
      'traf',
      box('tfhd', u32(0x8), u32(1), u32(1_024)),
      box('trun', u32(0x1), u32(fragmentSamples), u32(0)),
    ),
  );
  const head = [box('ftyp', Buffer.from('M4A \0\0\0\0')), box('moov', track(handler, samples))];
  return Buffer.concat([
    ...head,
    ...(fragmentSamples === 0 ? [] : [fragment]),
    box('mdat', Buffer.alloc(8)),
  ]);
}

function element(id: readonly number[], body: Buffer, size = [0x80 | body.length]): Buffer {
  return Buffer.concat([Buffer.from(id), Buffer.from(size), body]);
}

const UNKNOWN_SIZE = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];

/** A browser's recording: no duration, segments and clusters without a size, Opus of 20 ms. */
export function webmOf(blocks: number, type = 2): Buffer {
  const entry = element(
    [0xae],
    Buffer.concat([
      element([0xd7], Buffer.from([1])),
      element([0x83], Buffer.from([type])),
      element([0x86], Buffer.from('A_OPUS')),
    ]),
  );
  const tracks = element([0x16, 0x54, 0xae, 0x6b], entry);
  const sound = Array.from({ length: blocks }, (_, index) => {
    const time = Buffer.alloc(2);
    time.writeInt16BE(index * 20);
    return element(
      [0xa3],
      Buffer.concat([Buffer.from([0x81]), time, Buffer.from([0x80, 31 << 3, 0])]),
    );
  });
  const cluster = Buffer.concat([element([0xe7], Buffer.from([0])), ...sound]);
  return Buffer.concat([
    element([0x1a, 0x45, 0xdf, 0xa3], Buffer.from([0x42, 0x86, 0x81, 1])),
    Buffer.from([0x18, 0x53, 0x80, 0x67, ...UNKNOWN_SIZE]),
    tracks,
    Buffer.from([0x1f, 0x43, 0xb6, 0x75, ...UNKNOWN_SIZE]),
    cluster,
  ]);
}

/** A header alone, at 16,000 samples per second. */
export function flacOf(samples: number): Buffer {
  const info = Buffer.alloc(34);
  info.writeUInt16BE(4_096, 0);
  info.writeUInt16BE(4_096, 2);
  info.writeUIntBE((16_000 << 4) | 0, 10, 3);
  info[13] = 0xf0;
  info.writeUInt32BE(samples, 14);
  return Buffer.concat([Buffer.from('fLaC\x80\0\0\x22', 'latin1'), info]);
}
