import type { MediaSource } from '../../exchange-form/request.ts';

/**
 * Says that the model made a picture: an assistant's turn has no place for one. Its bytes as text
 * would come back as prompt, and be billed.
 */
export function imageNote(source: MediaSource): string {
  return 'url' in source
    ? `The model made a picture: ${source.url}`
    : 'The model made a picture, which the Messages protocol cannot carry.';
}
