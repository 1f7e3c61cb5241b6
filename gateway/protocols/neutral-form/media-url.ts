import type { MediaSource } from './request.ts';

/** The bytes of a `data:` URL, or the URL. */
export function mediaSource(url: string): MediaSource {
  const comma = url.indexOf(',');
  const head = url.slice('data:'.length, Math.max(0, comma));
  if (!url.startsWith('data:') || !head.endsWith(';base64')) return { url };
  return { base64: url.slice(comma + 1), mediaType: head.slice(0, head.indexOf(';')) };
}

/** The URL, or the bytes as a `data:` URL. */
export function mediaUrl(source: MediaSource): string {
  return 'url' in source ? source.url : `data:${source.mediaType};base64,${source.base64}`;
}
