import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { audioDuration } from '../../../../gateway/platform/audio/audio-duration.ts';

function msOf(file: Buffer): number | null {
  return audioDuration(file)?.ms ?? null;
}

/** Encoders begin and end with silence that players drop: up to four frames of MP3 or AAC. */
const FRAMES_DROPPED_MAX = 4;
const TOLERANCE_MS = 150;
/** At 8,000 samples per second. */
const LONGEST_FRAME_MS = 72;
const DECODED_BYTES_PER_MS = 16;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-audio-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function ffmpeg(args: readonly string[]): Buffer {
  const { status, stdout, stderr } = spawnSync('ffmpeg', ['-nostdin', '-v', 'error', ...args], {
    maxBuffer: 512 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(stderr.toString());
  return stdout;
}

const ENCODERS: readonly (readonly [string, string, ...string[]])[] = [
  ['PCM of 16 bits', 'wav'],
  ['PCM of 24 bits, stereo', 'wav', '-c:a', 'pcm_s24le', '-ac', '2'],
  ['float PCM', 'wav', '-c:a', 'pcm_f32le'],
  ['mu-law', 'wav', '-c:a', 'pcm_mulaw'],
  ['ADPCM', 'wav', '-c:a', 'adpcm_ima_wav'],
  ['constant bitrate', 'mp3', '-b:a', '64k'],
  ['variable bitrate', 'mp3', '-q:a', '5', '-ac', '2'],
  ['no Xing header', 'mp3', '-b:a', '128k', '-write_xing', '0'],
  ['MPEG 2.5 of 8 kHz', 'mp3', '-ar', '8000', '-b:a', '8k'],
  ['MPEG 2 of 22 kHz with tags', 'mp3', '-ar', '22050', '-metadata', 'title=a song'],
  ['Opus', 'ogg', '-c:a', 'libopus'],
  ['Opus with frames of 60 ms', 'ogg', '-c:a', 'libopus', '-frame_duration', '60'],
  ['Opus with frames of 2.5 ms', 'opus', '-c:a', 'libopus', '-frame_duration', '2.5'],
  ['Opus at 6 kbit/s for speech', 'ogg', '-c:a', 'libopus', '-b:a', '6k', '-application', 'voip'],
  ['Vorbis', 'ogg', '-c:a', 'libvorbis'],
  ['Ogg FLAC', 'ogg', '-c:a', 'flac'],
  ['AAC', 'm4a', '-c:a', 'aac'],
  ['AAC, its index first', 'm4a', '-c:a', 'aac', '-movflags', '+faststart'],
  [
    'AAC in fragments',
    'mp4',
    '-c:a',
    'aac',
    '-movflags',
    '+frag_keyframe+empty_moov',
    '-frag_duration',
    '500000',
  ],
  ['ALAC', 'm4a', '-c:a', 'alac'],
  ['QuickTime', 'mov', '-c:a', 'aac'],
  ['Opus', 'webm', '-c:a', 'libopus'],
  ['Opus, live', 'webm', '-c:a', 'libopus', '-live', '1'],
  ['Vorbis', 'webm', '-c:a', 'libvorbis'],
  ['AAC', 'mkv', '-c:a', 'aac'],
  ['FLAC', 'flac'],
  ['FLAC of 24 bits, stereo', 'flac', '-sample_fmt', 's32', '-ac', '2'],
];

const CASES = ENCODERS.flatMap(([name, extension, ...options], index) =>
  [0.7, 3.21, 31.4, 187.9].map((seconds, length) => {
    const rate =
      extension === 'mp3' || options.includes('-ar') ? 16_000 : [48_000, 16_000][index % 2];
    return { name, extension, options, seconds, rate, id: `${index}-${length}` };
  }),
);

test.each(CASES)('$extension, $name: $seconds s', ({ extension, options, seconds, rate, id }) => {
  const file = join(folder, `${id}.${extension}`);
  const tone = `sine=frequency=330:duration=${seconds}:sample_rate=${rate}`;
  ffmpeg(['-f', 'lavfi', '-i', tone, ...options, '-y', file]);
  const decoded = ffmpeg(['-i', file, '-f', 's16le', '-ac', '1', '-ar', '8000', '-']);
  const decodedMs = decoded.length / DECODED_BYTES_PER_MS;
  const ms = msOf(readFileSync(file)) ?? 0;
  const toleranceMs = options.includes('8000')
    ? FRAMES_DROPPED_MAX * LONGEST_FRAME_MS
    : TOLERANCE_MS;
  expect(Math.abs(ms - decodedMs)).toBeLessThanOrEqual(toleranceMs);
});

test('a FLAC written to a pipe has no count of samples, and its last frame is found', () => {
  const tone = 'sine=frequency=330:duration=12.5:sample_rate=16000';
  const file = ffmpeg(['-f', 'lavfi', '-i', tone, '-f', 'flac', '-']);
  expect(msOf(file)).toBe(12_500);
});

test('a WebM written to a pipe has no duration, and its last block is found', () => {
  const tone = 'sine=frequency=330:duration=12.5:sample_rate=48000';
  const file = ffmpeg(['-f', 'lavfi', '-i', tone, '-c:a', 'libopus', '-f', 'webm', '-']);
  const ms = msOf(file) ?? 0;
  expect(Math.abs(ms - 12_500)).toBeLessThanOrEqual(TOLERANCE_MS);
});
