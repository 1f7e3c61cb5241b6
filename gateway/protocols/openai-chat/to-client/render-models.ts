import type { ModelListEntry } from '../../protocol.ts';

/**
 * Returns a model as `GET /v1/models/{id}` has it. The last three fields are what clients of
 * Anthropic look for: one that does not say what it is gets this shape.
 */
export function renderModel({ publicId, createdAtSeconds, vendor }: ModelListEntry): object {
  return {
    id: publicId,
    object: 'model',
    created: createdAtSeconds,
    owned_by: vendor,
    type: 'model',
    display_name: publicId,
    created_at: new Date(createdAtSeconds * 1000).toISOString(),
  };
}

/** Returns the list of models: one page has them all. */
export function renderModels(models: readonly ModelListEntry[]): object {
  return {
    object: 'list',
    data: models.map(renderModel),
    has_more: false,
    first_id: models.at(0)?.publicId ?? null,
    last_id: models.at(-1)?.publicId ?? null,
  };
}
