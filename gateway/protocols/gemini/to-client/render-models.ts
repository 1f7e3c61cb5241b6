import type { ModelListEntry } from '../../protocol.ts';

/** The list of models as Gemini's clients expect it. */
export function renderModels(models: readonly ModelListEntry[]): object {
  return { models: models.map(renderModel) };
}

export function renderModel(model: ModelListEntry): object {
  const { publicId, contextTokensMax, outputTokensMax } = model;
  return {
    name: `models/${publicId}`,
    baseModelId: publicId,
    version: '001',
    displayName: publicId,
    inputTokenLimit: contextTokensMax,
    outputTokenLimit: outputTokensMax,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  };
}
