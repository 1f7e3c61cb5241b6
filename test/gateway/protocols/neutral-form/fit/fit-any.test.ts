import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isRefusal, type Refusal } from '../../../../../gateway/platform/errors/refusal.ts';
import { fitCallIds } from '../../../../../gateway/protocols/neutral-form/fit/names/fit-call-ids.ts';
import { fitConversation } from '../../../../../gateway/protocols/neutral-form/fit/conversation/fit-conversation.ts';
import { fitFormat } from '../../../../../gateway/protocols/neutral-form/fit/fit-format.ts';
import { fitMedia } from '../../../../../gateway/protocols/neutral-form/fit/conversation/fit-media.ts';
import { fitParts } from '../../../../../gateway/protocols/neutral-form/fit/conversation/fit-parts.ts';
import { fitNames } from '../../../../../gateway/protocols/neutral-form/fit/names/fit-names.ts';
import type {
  Fit,
  FitStep,
} from '../../../../../gateway/protocols/neutral-form/fit/fit-request.ts';
import { fitResults } from '../../../../../gateway/protocols/neutral-form/fit/conversation/fit-results.ts';
import { restoreReply } from '../../../../../gateway/protocols/neutral-form/fit/restore-reply.ts';
import type {
  NeutralMessage,
  NeutralRequest,
} from '../../../../../gateway/protocols/neutral-form/request.ts';
import type { TargetProfile } from '../../../../../gateway/protocols/target-profile.ts';
import { PROTOCOL_DEFAULTS } from '../../../../../gateway/providers/profiles/protocol-defaults.ts';
import { profileOf } from '../../../../../gateway/providers/profiles/profile-of.ts';
import { anyRequest } from './support/any-request.ts';
import { fitViolations } from './support/fit-violations.ts';
import { GEMINI_NAME, MISTRAL_ID, OPENAI_NAME, profileWith } from './support/profile-with.ts';
import { call } from './support/requests.ts';

const STEPS: readonly Fit[] = [
  fitParts,
  fitResults,
  fitFormat,
  fitNames,
  fitCallIds,
  fitMedia,
  fitConversation,
];

function fitAll(request: NeutralRequest, profile: TargetProfile): FitStep | Refusal {
  let step: FitStep = { request };
  for (const fit of STEPS) {
    const next = fit(step.request, profile);
    if (isRefusal(next)) return next;
    step = { request: next.request, restoration: { ...step.restoration, ...next.restoration } };
  }
  return step;
}

const PROTOCOLS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const;
const MODELS = [
  'gpt-4o',
  'gpt-5.4',
  'claude-sonnet-4-20250514',
  'claude-opus-4-6',
  'claude-opus-5',
  'gemini-2.5-flash',
  'gemini-3-pro-preview',
  'mistral-large-2512',
  'qwen3-32b',
];
const HARD = profileWith({
  toolsMax: 4,
  toolName: OPENAI_NAME,
  callId: MISTRAL_ID,
  jsonSchema: 'tool',
  jsonObject: 'prompt',
  formatWithTools: false,
  media: { imageTypes: new Set(['image/jpeg']), imageAddresses: false, toolResultImages: false },
  conversation: {
    lastAssistant: 'refused',
    systemMessages: 'one_leading',
    startsWithUser: true,
    assistantBehindResults: true,
    strictAlternation: true,
    reasoningText: 'refused',
  },
});
const PROFILES: readonly TargetProfile[] = [
  ...new Set([
    ...Object.values(PROTOCOL_DEFAULTS),
    ...PROTOCOLS.flatMap((upstreamProtocol) =>
      MODELS.map((upstreamModel) =>
        profileOf({
          kind: 'openai',
          baseUrl: 'https://example.com/v1',
          upstreamModel,
          upstreamProtocol,
          chosen: null,
        }),
      ),
    ),
  ]),
  HARD,
  profileWith({
    toolName: GEMINI_NAME,
    jsonSchema: 'tool',
    jsonObject: 'format_if_named',
    conversation: { lastAssistant: 'without_trailing_space', reasoningText: 'required' },
    media: { imageTypes: new Set(), audio: false, pdf: false },
  }),
];

const REASONS =
  /at most \d+ tools|does not continue it|are empty|takes images|fetches no|reads no|does not take audio/;

/** Returns the texts of client and model without blanks, sorted. */
function saidIn(messages: readonly NeutralMessage[]): string[] {
  const texts = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => {
      if (part.type === 'tool_result') {
        return part.content.flatMap((one) => (one.type === 'text' ? [one.text] : []));
      }
      if (part.type === 'tool_call') return [part.input];
      return part.type === 'text' ? [part.text] : [];
    }),
  );
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

describe('any request', () => {
  it('is one that the target takes, or is refused with a reason', () => {
    fc.assert(
      fc.property(anyRequest, fc.constantFrom(...PROFILES), (request, profile) => {
        const step = fitAll(request, profile);
        if (isRefusal(step)) {
          expect(step.message).toMatch(REASONS);
          expect(['messages', 'tools']).toContain(step.param);
          expect(fitViolations(request, profile)).not.toEqual([]);
          return;
        }
        expect(fitViolations(step.request, profile)).toEqual([]);
        // What fits is not looked at twice, and the same request always becomes the same.
        const again = fitAll(step.request, profile);
        expect(isRefusal(again) || again.request).toBe(step.request);
        expect(fitAll(structuredClone(request), profile)).toEqual(step);
      }),
      { numRuns: 500, seed: 49 },
    );
  });

  it('keeps all that was said, and all that no step is about', () => {
    fc.assert(
      fc.property(anyRequest, fc.constantFrom(...PROFILES), (request, profile) => {
        const step = fitAll(request, profile);
        if (isRefusal(step)) return;
        const { messages, tools, toolChoice: _choice, format: _format, ...others } = request;
        expect(step.request).toMatchObject(others);
        expect(step.request.tools.length).toBeGreaterThanOrEqual(tools.length);
        const sent = saidIn(step.request.messages).join('\n');
        for (const said of saidIn(messages)) expect(sent).toContain(said);
      }),
      { numRuns: 300, seed: 49 },
    );
  });

  it('gets a reply with the client’s own names', () => {
    fc.assert(
      fc.property(anyRequest, fc.constantFrom(...PROFILES), (request, profile) => {
        const step = fitAll(request, profile);
        if (isRefusal(step)) return;
        const own = request.tools.map(({ name }) => name);
        const parts = step.request.tools.map(({ name }, index) => call(String(index), name));
        const reply = { id: '', parts, end: 'tool_calls', usage: null } as const;
        const restored = restoreReply(reply, step.restoration);
        const names = restored.parts.flatMap((part) =>
          part.type === 'tool_call' ? [part.name] : [],
        );
        expect(names).toEqual(own);
        const texts = restored.parts.filter(({ type }) => type === 'text');
        expect(texts).toHaveLength(step.request.tools.length - own.length);
      }),
      { numRuns: 300, seed: 49 },
    );
  });
});
