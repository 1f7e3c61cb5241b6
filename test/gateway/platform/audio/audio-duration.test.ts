import { expect, test } from 'vitest';
import { audioDuration } from '../../../../gateway/platform/audio/audio-duration.ts';
import { flacOf, mp3Frame, mp4Of, opusOf, wavOf, webmOf } from './support/audio-bytes.ts';

function msOf(file: Buffer): number | null {
  return audioDuration(file)?.ms ?? null;
}

function frames(count: number, kbitsIndex = 9): Buffer {
  return Buffer.concat(Array.from({ length: count }, () => mp3Frame(kbitsIndex)));
}

const FRAME_MS = (1_152 * 1_000) / 44_100;

test.each<[string, Buffer, number | null]>([
  ['WAV', wavOf(2_500), 2_500],
  ['WAV whose writer could not go back to set the size', wavOf(2_500, 0xffffffff), 2_500],
  ['WAV with a size of 0', wavOf(2_500, 0), 2_500],
  ['WAV that is cut off', wavOf(2_500).subarray(0, 44 + 1_600), 100],
  ['MP3 at a constant bitrate', frames(100), Math.round(100 * FRAME_MS)],
  [
    'MP3 at a variable bitrate, with a header that claims one frame',
    Buffer.concat([mp3Frame(9, 'Xing\0\0\0\x01\0\0\0\x01'), frames(50, 5), frames(50, 9)]),
    Math.round(100 * FRAME_MS),
  ],
  [
    'MP3 behind a tag, with padding in between',
    Buffer.concat([
      Buffer.from('ID3\x04\0\0\0\0\0\x0aabcdefghij', 'latin1'),
      frames(50),
      Buffer.alloc(100_000),
      frames(50),
    ]),
    Math.round(100 * FRAME_MS),
  ],
  ['Opus', opusOf(100), 1_994],
  ['Opus that ends within its last packet', opusOf(100, 100 * 960 - 480), 1_984],
  ['Opus whose last page claims a hundredth', opusOf(100, 960), 1_994],
  ['M4A', mp4Of(100), 6_400],
  ['M4A in fragments', mp4Of(0, { fragmentSamples: 50 }), 3_200],
  ['MP4 without sound', mp4Of(100, { handler: 'vide' }), null],
  ['WebM of a browser', webmOf(100), 2_000],
  ['WebM without sound', webmOf(100, 1), null],
  ['FLAC', flacOf(40_000), 2_500],
  ['FLAC without a count and without frames', flacOf(0), null],
  ['text', Buffer.from('RIFF is not enough, OggS neither'), null],
  ['nothing', Buffer.alloc(0), null],
])('measures %s', (_name, file, ms) => {
  expect(msOf(file)).toBe(ms);
});

const WHOLE = [
  wavOf(200),
  frames(20),
  opusOf(20),
  mp4Of(20, { fragmentSamples: 20 }),
  webmOf(20),
  flacOf(3_200),
];

test('never throws on a file that is cut off, and never reports more than the whole', () => {
  for (const file of WHOLE) {
    const whole = msOf(file) ?? 0;
    expect(whole).toBeGreaterThan(0);
    for (let bytes = 0; bytes < file.length; bytes += bytes < 600 ? 1 : 97) {
      expect(msOf(file.subarray(0, bytes)) ?? 0).toBeLessThanOrEqual(whole);
    }
  }
});

test('never throws on damage, and reports whole milliseconds or nothing', () => {
  let seed = 1;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  for (let round = 0; round < 1_500; round += 1) {
    const file = Buffer.from(WHOLE[round % WHOLE.length] ?? '');
    for (let change = 0; change < 4; change += 1) {
      file[random(Math.min(file.length, 300))] = [0, 0xff, 0x7f, random(256)][random(4)] ?? 0;
    }
    const ms = msOf(file);
    if (ms !== null) expect(Number.isSafeInteger(ms) && ms > 0).toBe(true);
  }
});
