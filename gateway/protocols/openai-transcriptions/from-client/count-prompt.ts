import { audioDuration } from '../../../platform/audio/audio-duration.ts';
import { readMultipart } from '../../../platform/multipart/read-multipart.ts';
import { measuredMs } from '../wire/audio-ms.ts';
import { audioPromptTokens } from '../wire/audio-prompt-tokens.ts';
import { FORM_LIMITS } from './parse-request.ts';

/** Tokens of a form's file and prompt: an estimate, for an upstream that reports none. */
export function* countPrompt(_model: string, body: Uint8Array): Generator<undefined, number> {
  const form = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // A form begins with its boundary.
  const boundary = form.toString('latin1', 2, form.indexOf('\r\n'));
  const parts = readMultipart(form, boundary, FORM_LIMITS);
  yield undefined;
  if ('fault' in parts) return 1;
  const file = parts.find(({ name }) => name === 'file')?.content ?? form;
  const prompt = parts.find(({ name }) => name === 'prompt')?.content.length ?? 0;
  const { ms } = measuredMs(audioDuration(file), file.length);
  return audioPromptTokens(ms, prompt);
}
