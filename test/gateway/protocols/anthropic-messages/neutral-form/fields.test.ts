import { describe, expect, it } from 'vitest';
import { neutralForm } from '../../../../../gateway/protocols/anthropic-messages/neutral-form.ts';
import {
  LEFT_OUT_FIELDS,
  REFUSED_FIELDS,
} from '../../../../../gateway/protocols/anthropic-messages/from-client/read-request.ts';
import {
  REFUSED_FIELDS as NEVER_SERVED,
  WITHHELD_FIELDS,
} from '../../../../../gateway/protocols/anthropic-messages/from-client/withheld-fields.ts';
import { accepted } from '../../../../support/clients/messages-request.ts';
import { asked, neutral, written } from './support/neutral-form.ts';

/** Fields of a request by what they become in the neutral form. */
const CARRIED: Readonly<Record<string, unknown>> = {
  stream: true,
  system: 'S',
  tools: [{ name: 'f', input_schema: {} }],
  tool_choice: { type: 'any' },
  temperature: 0.5,
  top_p: 0.5,
  top_k: 3,
  stop_sequences: ['END'],
  thinking: { type: 'enabled', budget_tokens: 2_000 },
  output_config: { effort: 'low' },
  metadata: { user_id: 'u' },
};

/** Those of the official SDK's request, betas included. */
const KNOWN = [
  ...Object.keys(CARRIED),
  'cache_control',
  'compaction',
  'context_management',
  'diagnostics',
  'safeguards',
  'tags',
  'container',
  'fallbacks',
  'inference_geo',
  'mcp_servers',
  'service_tier',
  'speed',
  'thread',
  // OpenRouter's: asks what the request costs.
  'usage',
];

describe('each field of a request for another vendor', () => {
  it.each(Object.entries(CARRIED))('%s is carried', (field, value) => {
    expect(neutral({ [field]: value })).not.toEqual(neutral());
  });

  it.each(LEFT_OUT_FIELDS)('%s is left out, and named', (field) => {
    expect(neutral({ [field]: { edits: [] } })).toEqual({ ...neutral(), leftOut: [field] });
  });

  it.each(REFUSED_FIELDS)('%s is refused by its name', (field) => {
    expect(neutralForm.readRequest(accepted({ [field]: [] }))).toMatchObject({ param: field });
  });

  it('is carried, left out, withheld or refused', () => {
    const decided = [
      ...Object.keys(CARRIED),
      ...LEFT_OUT_FIELDS,
      ...REFUSED_FIELDS,
      ...WITHHELD_FIELDS,
      ...NEVER_SERVED.keys(),
    ];
    expect(decided.toSorted()).toEqual(KNOWN.toSorted());
  });

  it('that only warms a cache is refused', () => {
    const request = neutralForm.readRequest(accepted({ max_tokens: 0 }));
    expect(request).toMatchObject({ param: 'max_tokens' });
  });
});

describe('what another vendor’s client asks of Anthropic', () => {
  it.each(['presencePenalty', 'frequencyPenalty', 'seed', 'verbosity'])(
    '%s is left out',
    (field) => {
      const value = field === 'verbosity' ? 'low' : 1;
      expect(written(asked({ [field]: value }))).toEqual(written(asked()));
    },
  );

  it.each(['glm-4.6', 'kimi-k2-thinking'])(
    '%s gets what Anthropic’s first models knew',
    (model) => {
      const request = asked({
        messages: [
          { role: 'user', parts: [{ type: 'text', text: 'U' }] },
          { role: 'system', parts: [{ type: 'text', text: 'S' }] },
        ],
        effort: 'low',
        maxOutputTokens: 9_000,
      });
      const body = written(request, { upstreamModel: model });
      expect(body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2_048 } });
      expect(JSON.stringify(body['messages'])).toContain('<system-reminder>');
    },
  );
});
