import { audioDuration } from '../../../platform/audio/audio-duration.ts';
import { rereadForm } from '../../openai-family/read-form.ts';
import { measuredMs } from '../wire/audio-ms.ts';
import { audioPromptTokens } from '../wire/audio-prompt-tokens.ts';

const NOTHING = Buffer.alloc(0);

/** Tokens of a form's file and prompt: an estimate, for an upstream that reports none. */
export function* countPrompt(_model: string, body: Uint8Array): Generator<undefined, number> {
  const parts = rereadForm(body);
  yield undefined;
  const contentOf = (field: string): Buffer =>
    parts.find(({ name }) => name === field)?.content ?? NOTHING;
  const file = contentOf('file');
  const { ms } = measuredMs(audioDuration(file), file.length);
  return audioPromptTokens(ms, contentOf('prompt').length);
}
