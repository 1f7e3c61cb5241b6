import type { MediaKind } from './media-kind';

/** The settings of one request, as the form has them. */
export interface MediaSettings {
  readonly model: string;
  /** The description of an image, or the text that is spoken. */
  readonly text: string;
  /** The sound that is transcribed. */
  readonly file: File | undefined;
  readonly voice: string;
  readonly size: string;
  readonly quality: string;
}

/** Behind the gateway's root. */
const PATHS: Readonly<Record<MediaKind, string>> = {
  image: '/v1/images/generations',
  speech: '/v1/audio/speech',
  transcript: '/v1/audio/transcriptions',
};

/** A request as it is sent. */
export interface MediaRequest {
  readonly path: string;
  readonly body: string | FormData;
}

/** Writes the request of a kind. What is left empty is the model's choice. */
export function mediaRequest(kind: MediaKind, settings: MediaSettings): MediaRequest {
  const { model, text, file, voice, size, quality } = settings;
  const path = PATHS[kind];
  if (kind === 'image') {
    const chosen = Object.entries({ size, quality }).filter(([, value]) => value !== '');
    return { path, body: JSON.stringify({ model, prompt: text, ...Object.fromEntries(chosen) }) };
  }
  if (kind === 'speech') return { path, body: JSON.stringify({ model, input: text, voice }) };
  const form = new FormData();
  form.set('model', model);
  if (file !== undefined) form.set('file', file);
  return { path, body: form };
}
