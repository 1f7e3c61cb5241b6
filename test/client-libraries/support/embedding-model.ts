import type { ModelUpstream } from '../../agent-tools/support/model-upstream.ts';
import type { ModelForSale } from '../../agent-tools/support/sell-models.ts';
import { startScriptedUpstream } from '../../support/upstreams/scripted-upstream.ts';

/** Exact in 32 bits. */
export const VECTOR = [0.5, -0.25, 1];

const PROMPT_TOKENS = 8;

/** A model that turns every text into the same vector. */
export const EMBEDDING: ModelForSale = {
  publicId: 'text-embedding-3-small',
  channelKind: 'openai',
  upstreamName: 'embeddings',
  startUpstream: async (): Promise<ModelUpstream> => {
    const upstream = await startScriptedUpstream();
    const base64 = Buffer.from(Float32Array.from(VECTOR).buffer).toString('base64');
    upstream.reply = ({ body }) => ({
      object: 'list',
      model: 'upstream-embedding',
      data: [
        {
          object: 'embedding',
          index: 0,
          embedding: body['encoding_format'] === 'base64' ? base64 : VECTOR,
        },
      ],
      usage: { prompt_tokens: PROMPT_TOKENS, total_tokens: PROMPT_TOKENS },
    });
    return {
      url: upstream.url,
      usage: { plain: PROMPT_TOKENS, cached: 0, written: 0, output: 0 },
      keepsProofs: false,
      requests: [],
      play: () => undefined,
      close: () => upstream.close(),
    };
  },
};
