import type { PricingModel } from '@weir/shared/prices/prices';
import { describe, expect, test } from 'vitest';
import { GROUP_ID, model } from '../../../testing/views';
import { suggestMedia, suggestModels, type MediaModels } from './tool-models';
import type { Tool, ToolId } from './tool-setup';
import { TOOLS } from './tool-setups';

function toolOf(id: ToolId): Tool {
  const tool = TOOLS.find((one) => one.id === id);
  if (tool === undefined) throw new Error(`There is no tool ${id}.`);
  return tool;
}

function priced(publicId: string, inputUsd: string): PricingModel {
  const one = model(publicId);
  const prices = { ...one.prices, inputUsd };
  return { ...one, prices, groups: [{ groupId: GROUP_ID, prices, nextPrices: null }] };
}

const EVERYTHING = [
  priced('gpt-6.2-sol', '2'),
  priced('gpt-6-luna', '0.1'),
  priced('claude-haiku-5-5', '1'),
  priced('claude-opus-4-5-20251101', '15'),
  priced('claude-opus-5-5', '5'),
  priced('claude-sonnet-4-5-20250929', '3'),
  priced('claude-sonnet-5', '3'),
  priced('gemini-2.5-flash', '0.3'),
  priced('gemini-3.1-pro-preview', '2'),
  priced('qwen3-coder-plus', '0.5'),
];
const ROOT = 'https://gateway.example.org';
const NO_CHOICE = { wanted: '', groupId: GROUP_ID };

function suggested(id: ToolId, models: readonly PricingModel[] = EVERYTHING, wanted = '') {
  return suggestModels(toolOf(id), models, { ...NO_CHOICE, wanted });
}

describe('The models of a tool’s settings', () => {
  test('are of the vendor whose tool it is', () => {
    expect(suggested('claude-code')).toEqual({
      model: 'claude-sonnet-5',
      smallModel: 'claude-haiku-5-5',
      opusModel: 'claude-opus-5-5',
      sonnetModel: 'claude-sonnet-5',
      isOfFamily: true,
    });
    expect(suggested('codex')?.model).toBe('gpt-6.2-sol');
    expect(suggested('gemini-cli')?.model).toBe('gemini-3.1-pro-preview');
    expect(suggested('qwen-code')?.model).toBe('qwen3-coder-plus');
  });

  test('are the operator’s choice if the tool is made for it, or for any model', () => {
    expect(suggested('codex', EVERYTHING, 'gpt-6-luna')?.model).toBe('gpt-6-luna');
    expect(suggested('claude-code', EVERYTHING, 'gpt-6-luna')?.model).toBe('claude-sonnet-5');
    expect(suggested('aider', EVERYTHING, 'gpt-6.2-sol')?.model).toBe('gpt-6.2-sol');
  });

  test('are all for sale to the key, whatever the group lacks', () => {
    const noHaiku = EVERYTHING.filter(({ publicId }) => !/haiku|opus/.test(publicId));
    const ids = noHaiku.map(({ publicId }) => publicId);
    for (const { id } of TOOLS) {
      const { isOfFamily, ...models } = suggested(id, noHaiku) ?? { isOfFamily: false };
      expect(isOfFamily).toBe(true);
      for (const publicId of Object.values(models)) expect(ids).toContain(publicId);
    }
    expect(suggested('claude-code', noHaiku)).toMatchObject({
      smallModel: 'claude-sonnet-5',
      opusModel: 'claude-sonnet-5',
    });
  });

  test('are others if there are none of the family, and it is said', () => {
    const gpts = EVERYTHING.slice(0, 2);
    expect(suggested('claude-code', gpts)).toEqual({
      model: 'gpt-6-luna',
      smallModel: 'gpt-6-luna',
      opusModel: 'gpt-6-luna',
      sonnetModel: 'gpt-6-luna',
      isOfFamily: false,
    });
    expect(suggested('curl', gpts)?.isOfFamily).toBe(true);
    expect(suggested('claude-code', [])).toBeUndefined();
  });

  test('speak the tool’s protocol', () => {
    const gemini = { ...model('claude-x'), protocols: ['gemini' as const] };
    const embedding = { ...model('claude-embed'), protocols: ['openai-embeddings' as const] };
    expect(suggested('claude-code', [gemini, embedding])).toBeUndefined();
  });

  test('for images and sound are the newest of each kind that the key can use', () => {
    const of = (publicId: string, extra: PricingModel['prices']['extra']): PricingModel => {
      const one = priced(publicId, '0');
      return { ...one, prices: { ...one.prices, extra } };
    };
    const drawing = [of('painter-1', { image: '0.1' }), of('painter-2', { image: '0.2' })];
    const hearing = of('whisper-1', { second: '0.0001' });
    expect(suggestMedia([...EVERYTHING, ...drawing, hearing])).toEqual({
      image: 'painter-2',
      transcript: 'whisper-1',
    });
    expect(suggestMedia(EVERYTHING)).toEqual({});
  });

  test('are named in the settings of Open WebUI for images and sound, and no others are', () => {
    const { media } = toolOf('open-webui');
    const values = { gatewayUrl: ROOT, key: 'sk-secret', shell: 'posix' } as const;
    const chat = { model: 'm', smallModel: 'm', opusModel: 'm', sonnetModel: 'm' };
    const lines = (models: MediaModels): string[] =>
      (media?.({ ...values, ...chat, media: models }) ?? []).flatMap((part) =>
        part.kind === 'code' ? part.code.split('\n') : [],
      );
    expect(lines({})).toEqual([]);
    expect(lines({ transcript: 'whisper-1' })).toEqual([
      'AUDIO_STT_ENGINE=openai',
      'AUDIO_STT_MODEL=whisper-1',
      `AUDIO_STT_OPENAI_API_BASE_URL=${ROOT}/v1`,
      'AUDIO_STT_OPENAI_API_KEY=sk-secret',
    ]);
    const all = lines({ image: 'gpt-image-2', speech: 'gpt-4o-mini-tts' });
    expect(all).toContain('IMAGE_EDIT_MODEL=gpt-image-2');
    expect(all).toContain('AUDIO_TTS_MODEL=gpt-4o-mini-tts');
    expect(all.filter((line) => line.endsWith('=sk-secret'))).toHaveLength(3);
  });
});
