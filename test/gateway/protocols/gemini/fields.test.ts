import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import { neutralForm } from '../../../../gateway/protocols/gemini/neutral-form.ts';
import {
  LEFT_OUT_CONFIG,
  LEFT_OUT_FIELDS,
  REFUSED_CONFIG,
} from '../../../../gateway/protocols/gemini/from-client/read-request.ts';
import { GEMINI_FIELDS } from '../../../../gateway/protocols/gemini/from-client/known-fields.ts';
import { parsed } from './support/parsed.ts';

const SDK_TYPES = new URL(
  '../../../../node_modules/@google/genai/dist/genai.d.ts',
  import.meta.url,
);

const SCHEMA = { type: 'object', properties: { a: { type: 'string' } } };

/** Fields of `generationConfig` that the neutral form has. */
const CARRIED_CONFIG = {
  temperature: 0.5,
  topP: 0.5,
  topK: 4,
  candidateCount: 1,
  maxOutputTokens: 7,
  stopSequences: ['x'],
  seed: 1,
  presencePenalty: 0.5,
  frequencyPenalty: 0.5,
  responseMimeType: 'application/json',
  responseSchema: SCHEMA,
  responseJsonSchema: SCHEMA,
  responseModalities: ['TEXT'],
  thinkingConfig: { includeThoughts: true, thinkingBudget: 3 },
};
/** The newer form of the same. */
const FORMAT = { responseFormat: [{ text: { mimeType: 'application/json', schema: SCHEMA } }] };

function read(generationConfig: object, more: object = {}) {
  const contents = [{ parts: [{ text: 'U' }] }];
  return neutralForm.readRequest(parsed({ contents, generationConfig, ...more }));
}

function declaredFields(): string[] {
  const declared = /export declare interface GenerationConfig \{(.*?)^\}/ms.exec(
    readFileSync(SDK_TYPES, 'utf8'),
  )?.[1];
  return [...(declared ?? '').matchAll(/^ {4}(\w+)\??:/gm)].flatMap(([, name]) => name ?? []);
}

describe('the fields of a generation config', () => {
  it('are each carried, left out or refused for an upstream of another protocol', () => {
    const known = new Set([
      ...Object.keys({ ...CARRIED_CONFIG, ...FORMAT }),
      ...LEFT_OUT_CONFIG,
      ...REFUSED_CONFIG,
    ]);
    expect(declaredFields().length).toBeGreaterThan(20);
    expect(declaredFields().filter((name) => !known.has(name))).toEqual([]);
  });

  it('reach an upstream of the same protocol, but for those that choose another model', () => {
    const known = GEMINI_FIELDS.get('generationConfig');
    const choosing = ['routingConfig', 'modelSelectionConfig'];
    const names = declaredFields().filter((name) => !choosing.includes(name));
    expect(known).toBeInstanceOf(Map);
    const isKnown = (name: string) => typeof known === 'object' && known.has(name);
    expect(names.filter((name) => !isKnown(name))).toEqual([]);
  });

  it('are carried', () => {
    expect(read(CARRIED_CONFIG)).toMatchObject({
      temperature: 0.5,
      topP: 0.5,
      topK: 4,
      maxOutputTokens: 7,
      stop: ['x'],
      seed: 1,
      presencePenalty: 0.5,
      frequencyPenalty: 0.5,
      reasoningTokensMax: 3,
      reasoningText: true,
      format: { type: 'json_schema', schema: SCHEMA },
    });
  });

  it.each([
    ['responseFormat', FORMAT],
    ['one format', { responseFormat: FORMAT.responseFormat[0] }],
    [
      'snake case',
      { response_format: [{ text: { mime_type: 'application/json', schema: SCHEMA } }] },
    ],
    ['_responseJsonSchema', { responseMimeType: 'application/json', _responseJsonSchema: SCHEMA }],
  ])('carry the schema of the reply in %s', (_, config) => {
    expect(read(config)).toMatchObject({ format: { type: 'json_schema', schema: SCHEMA } });
  });

  it.each(LEFT_OUT_CONFIG)('%s is left out', (field) => {
    expect(read({ [field]: {} })).toEqual(read({}));
  });

  it.each(LEFT_OUT_FIELDS)('%s of the request is left out', (field) => {
    expect(read({}, { [field]: [] })).toEqual(read({}));
  });

  it.each(REFUSED_CONFIG)('%s is refused with its name', (field) => {
    const refusal = read({ [field]: { a: 1 } });
    expect(isRefusal(refusal) && refusal.param).toBe(`generationConfig.${field}`);
  });

  it('a name in snake case is repeated as it was sent', () => {
    const refusal = read({ speech_config: { a: 1 } });
    expect(isRefusal(refusal) && refusal.param).toBe('generationConfig.speech_config');
  });

  it.each([
    [{ responseModalities: ['IMAGE'] }, 'responseModalities', ['imageOutput']],
    [{ responseModalities: ['Text', 'Image'] }, 'responseModalities', ['imageOutput']],
    [{ responseModalities: [1, 2] }, 'responseModalities', ['imageOutput']],
    [{ response_modalities: 'audio' }, 'response_modalities', ['audioOutput']],
    [{ responseModalities: [3] }, 'responseModalities', ['audioOutput']],
    [{ responseFormat: [{ image: {} }] }, 'responseFormat', ['imageOutput']],
    [{ responseFormat: { audio: {} } }, 'responseFormat', ['audioOutput']],
    [
      { responseModalities: ['TEXT'], response_format: { image: {} } },
      'response_format',
      ['imageOutput'],
    ],
  ])(
    '%j is billed by its own price, and refused where there is no such output',
    (config, field, meters) => {
      const contents = [{ parts: [{ text: 'U' }] }];
      expect(parsed({ contents, generationConfig: config }).meters).toEqual(meters);
      const refusal = read(config);
      expect(isRefusal(refusal) && refusal.param).toBe(`generationConfig.${field}`);
    },
  );

  it.each([{ responseModalities: ['Text'] }, { responseModalities: [1] }])(
    '%j asks for text',
    (config) => {
      expect(isRefusal(read(config))).toBe(false);
    },
  );
});
