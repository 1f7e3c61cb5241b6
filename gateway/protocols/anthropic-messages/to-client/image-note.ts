import type { MediaSource } from '../../neutral-form/request.ts';

/**
 * Says that the model made an image: an assistant's turn has no place for one. Its bytes as text
 * would come back as prompt, and be billed.
 */
export function imageNote(source: MediaSource): string {
  return 'url' in source
    ? `The model made an image: ${source.url}`
    : 'The model made an image, which the Messages protocol cannot carry.';
}
