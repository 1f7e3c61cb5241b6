import type { ModelListEntry } from '../../protocol.ts';

/** Returns a model as `GET /v1/models/{id}` has it. */
export function renderModel(model: ModelListEntry): object {
  return {
    type: 'model',
    id: model.publicId,
    display_name: model.publicId,
    created_at: new Date(model.createdAtSeconds * 1_000).toISOString(),
    max_input_tokens: model.contextTokensMax,
    max_tokens: model.outputTokensMax,
  };
}

/** Returns the list of models: one page has them all. */
export function renderModels(models: readonly ModelListEntry[]): object {
  return {
    data: models.map(renderModel),
    has_more: false,
    first_id: models.at(0)?.publicId ?? null,
    last_id: models.at(-1)?.publicId ?? null,
  };
}
