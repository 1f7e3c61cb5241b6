import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import type { TranscriptFormat } from '../from-client/parse-request.ts';
import { msOfSeconds } from '../wire/audio-ms.ts';

interface Segment {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

/**
 * Renders a transcript as text or subtitles; null of the formats of JSON, undefined where subtitles
 * are asked for and the reply has no segments.
 */
export function renderTranscript(
  reply: JsonObject,
  format: TranscriptFormat,
): string | null | undefined {
  switch (format) {
    case 'text':
      return `${stringOf(reply['text'])}\n`;
    case 'srt':
      return segmentsOf(reply)
        ?.map((segment, index) => `${index + 1}\n${cue(segment, ',')}`)
        .join('');
    case 'vtt': {
      const segments = segmentsOf(reply);
      return segments && `WEBVTT\n\n${segments.map((segment) => cue(segment, '.')).join('')}`;
    }
    default:
      return null;
  }
}

function segmentsOf({ segments }: JsonObject): readonly Segment[] | undefined {
  if (!Array.isArray(segments)) return undefined;
  return segments.filter(isJsonObject).map(({ start, end, text }) => ({
    startMs: msOfSeconds(start) ?? 0,
    endMs: msOfSeconds(end) ?? 0,
    // A blank line would end the cue, and an arrow begin another.
    text: stringOf(text)
      .trim()
      .replaceAll(/\s*\n\s*/g, '\n')
      .replaceAll('-->', '->'),
  }));
}

/** @param point between seconds and milliseconds */
function cue({ startMs, endMs, text }: Segment, point: string): string {
  return `${timestamp(startMs, point)} --> ${timestamp(endMs, point)}\n${text}\n\n`;
}

function timestamp(ms: number, point: string): string {
  const padded = (value: number, digits = 2): string =>
    String(Math.floor(value)).padStart(digits, '0');
  const hours = padded(ms / 3_600_000);
  const minutes = padded((ms / 60_000) % 60);
  const seconds = padded((ms / 1_000) % 60);
  return `${hours}:${minutes}:${seconds}${point}${padded(ms % 1_000, 3)}`;
}
