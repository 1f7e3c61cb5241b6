import { expect, test } from 'vitest';
import { transcribes } from '../../../gateway/catalog/model-endpoints.ts';

test.each([
  ['whisper-1', true],
  ['whisper-large-v3-turbo', true],
  ['gpt-4o-mini-transcribe-2025-12-15', true],
  ['gpt-4o-transcribe-diarize', true],
  ['gpt-4o', false],
  ['text-embedding-3-large', false],
])('of %s: %s', (model, expected) => {
  expect(transcribes(model)).toBe(expected);
});
