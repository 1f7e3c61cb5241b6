import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import { mediaSource, mediaUrl } from '../../neutral-form/media-url.ts';
import { carryProof, type Proof } from '../../neutral-form/proofs/proof.ts';
import type { ImagePart } from '../../neutral-form/request.ts';
import { extraContent, thoughtSignatureOf } from './extra-content.ts';

/**
 * Returns the images that an assistant's message or delta has in `images`, which is where
 * OpenRouter has them.
 * @param proofOf makes the proof of a signature; null where it is worth nothing
 */
export function readImages(
  message: JsonObject,
  proofOf: (signature: string) => Proof | null,
): ImagePart[] {
  return imagesIn(message['images'], proofOf);
}

/** The same for an upstream's message, which may have images among the parts of its content. */
export function readMadeImages(message: JsonObject): ImagePart[] {
  const made = [message['content'], message['images']];
  return made.flatMap((parts) => imagesIn(parts, upstreamProof));
}

/** The member `images` for images that a model has made; nothing where there are none. */
export function imagesMember(
  made: readonly Pick<ImagePart, 'source' | 'proof'>[],
  carry: (proof: Proof) => string = carryProof,
): JsonObject {
  if (made.length === 0) return {};
  const images = made.map(({ source, proof }) => {
    const signature = proof === undefined ? '' : carry(proof);
    const extra = signature === '' ? {} : extraContent(signature);
    return { type: 'image_url', image_url: { url: mediaUrl(source) }, ...extra };
  });
  return { images };
}

function imagesIn(parts: unknown, proofOf: (signature: string) => Proof | null): ImagePart[] {
  if (!Array.isArray(parts)) return [];
  return (parts as unknown[]).filter(isJsonObject).flatMap((part) => {
    const image = part['image_url'];
    const url = isJsonObject(image) ? stringOf(image['url']) : stringOf(image);
    if (url === '') return [];
    const proof = proofOf(thoughtSignatureOf(part));
    const source = mediaSource(url);
    return [{ type: 'image', source, ...(proof === null ? {} : { proof }) }];
  });
}

function upstreamProof(signature: string): Proof | null {
  return signature === '' ? null : { of: 'openai-chat', value: signature };
}
