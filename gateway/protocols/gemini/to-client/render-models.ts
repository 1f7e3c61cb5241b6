import type { ListedModel } from '../../protocol.ts';

/** The list of models as Gemini's clients expect it. */
export function renderModels(models: readonly ListedModel[]): object {
  return { models: models.map(renderModel) };
}

export function renderModel(model: ListedModel): object {
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
