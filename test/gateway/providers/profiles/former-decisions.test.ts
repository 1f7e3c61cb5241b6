/**
 * Decisions by the names of models from the time before profiles: each one is kept, or
 * corrected by a source that knows better. The corrections are the rows that name both.
 */
import { describe, expect, it } from 'vitest';
import type { TargetProfile } from '../../../../gateway/protocols/target-profile.ts';
import { ALL_EFFORTS } from '../../../../gateway/providers/profiles/protocol-defaults.ts';
import type { Effort } from '../../../../gateway/providers/profiles/rule-set.ts';
import { profileFor } from './profile-for.ts';

/** The word that an effort becomes: the nearest, and none where the model thinks only if asked. */
function sent({ thinking, efforts, thinksByDefault }: TargetProfile, effort: Effort): string {
  if (thinking === 'none') return '-';
  if (efforts.includes(effort)) return effort;
  const words = efforts.filter((word) => word !== 'none');
  if (words.length === 0 || (effort === 'none' && !thinksByDefault)) return '-';
  const distance = (word: Effort): number =>
    Math.abs(ALL_EFFORTS.indexOf(word) - ALL_EFFORTS.indexOf(effort));
  return words.toSorted((one, other) => distance(one) - distance(other))[0] ?? '-';
}

const efforts = (profile: TargetProfile): string =>
  ALL_EFFORTS.map((effort) => sent(profile, effort)).join(' ');

const NO_EFFORT = '- - - - - - -';
const LOW_TO_HIGH = 'low low low medium high high high';
const ANY_EFFORT = 'none minimal low medium high xhigh max';
const UNASKED = '- low low medium high high high';

interface Chat {
  readonly names: readonly string[];
  readonly openai: boolean;
  readonly field: string;
  readonly was: string;
  readonly is?: string;
  readonly breakpoints?: boolean;
}

const CHAT: readonly Chat[] = [
  {
    names: ['gpt-3.5-turbo', 'gpt-35-turbo', 'gpt-4', 'gpt-4o', 'gpt-4.1', 'chatgpt-4o-latest'],
    openai: true,
    field: 'max_tokens',
    was: NO_EFFORT,
  },
  {
    names: ['o1', 'o3', 'o3-mini', 'openai/o3-mini', 'o4-mini-2025-04-16'],
    openai: true,
    field: 'max_completion_tokens',
    was: LOW_TO_HIGH,
  },
  {
    names: ['gpt-5', 'openai/gpt-5-mini'],
    openai: true,
    field: 'max_completion_tokens',
    was: 'minimal minimal low medium high high high',
  },
  {
    names: ['gpt-5.1'],
    openai: true,
    field: 'max_completion_tokens',
    was: ANY_EFFORT,
    is: 'none low low medium high high high',
  },
  {
    names: ['gpt-5.5', 'openai/gpt-5.5'],
    openai: true,
    field: 'max_completion_tokens',
    was: ANY_EFFORT,
    is: 'none low low medium high xhigh xhigh',
  },
  {
    names: ['openai/gpt-5.6', 'gpt-6-sol'],
    openai: true,
    field: 'max_completion_tokens',
    was: ANY_EFFORT,
    is: 'none low low medium high xhigh xhigh',
    breakpoints: true,
  },
  {
    names: ['gpt-5.2-pro'],
    openai: true,
    field: 'max_completion_tokens',
    was: ANY_EFFORT,
    is: 'medium medium medium medium high xhigh xhigh',
  },
  {
    names: ['gpt-10'],
    openai: true,
    field: 'max_completion_tokens',
    was: ANY_EFFORT,
    is: 'low low low medium high xhigh xhigh',
    breakpoints: true,
  },
  {
    names: ['gpt-5-chat-latest'],
    openai: true,
    field: 'max_completion_tokens',
    was: 'minimal minimal low medium high high high',
    is: NO_EFFORT,
  },
  {
    names: ['codex-mini-latest'],
    openai: true,
    field: 'max_completion_tokens',
    was: UNASKED,
    is: LOW_TO_HIGH,
  },
  { names: ['deepseek-chat', 'olmo-2'], openai: false, field: 'max_tokens', was: UNASKED },
  {
    names: ['gpt-oss-20b', 'openai/gpt-oss-120b'],
    openai: false,
    field: 'max_tokens',
    was: UNASKED,
    is: LOW_TO_HIGH,
  },
  {
    names: ['llama-3.3-70b'],
    openai: false,
    field: 'max_tokens',
    was: UNASKED,
    is: NO_EFFORT,
  },
];

describe('chat completions', () => {
  const rows = CHAT.flatMap(({ names, ...row }) => names.map((name) => [name, row] as const));

  it.each(rows)('%s', (name, { openai, field, was, is = was, breakpoints = false }) => {
    const profile = profileFor(name);
    expect(efforts(profile)).toBe(is);
    expect(profile.outputLimitField ?? 'max_tokens').toBe(field);
    expect(profile).toMatchObject({
      customTools: openai,
      allowedTools: openai,
      assistantImages: !openai,
      cacheBreakpoints: breakpoints,
    });
  });
});

describe('Responses', () => {
  it('has no fields for these, whatever the model', () => {
    for (const name of ['gpt-4o', 'gpt-5.5', 'grok-4.7', 'upstream']) {
      expect(profileFor(name, { protocol: 'openai-responses' })).toMatchObject({
        topK: false,
        penalties: false,
        seed: 'refused',
        stopSequencesMax: 0,
        outputTokensMin: 16,
      });
    }
  });
});

/** Name; system messages anywhere, sampling refused, adaptive, can think, always thinks. */
const CLAUDE: readonly (readonly [string, string])[] = [
  ['claude-3-5-haiku-20241022', '- - - - -'],
  ['anthropic.claude-3-5-sonnet-20241022-v2:0', '- - - - -'],
  ['claude-3-7-sonnet-20250219', '- - - can -'],
  ['claude-sonnet-4', '- - - can -'],
  ['claude-sonnet-4-5-20250929', '- - - can -'],
  ['claude-opus-4-6', '- - adaptive can -'],
  ['claude-opus-4-7', '- refused adaptive can -'],
  ['claude-opus-4-8', 'system refused adaptive can -'],
  ['claude-opus-5', 'system refused adaptive can -'],
  ['claude-opus-5-5', 'system refused adaptive can always'],
  ['claude-fable-5-1', 'system refused adaptive can always'],
  ['deepseek-chat', '- - - can -'],
  ['MiniMax-M2', '- - - can -'],
  // Corrected: Sonnet 5 and Haiku 5.5 ignore or refuse system messages in the conversation.
  ['claude-sonnet-5', '- refused adaptive can -'],
  ['claude-haiku-5-5', '- refused adaptive can -'],
  // Corrected: these refuse to be told not to think.
  ['claude-sonnet-5-5', '- refused adaptive can always'],
  ['claude-fable-5', 'system refused adaptive can always'],
  // Corrected: a version that is not known may be of these.
  ['anthropic/claude', 'system refused adaptive can always'],
  // Corrected: Kimi K2 does not think.
  ['kimi-k2', '- - - - -'],
];

describe('Messages', () => {
  it.each(CLAUDE)('%s', (name, decisions) => {
    const profile = profileFor(name, { kind: 'anthropic', protocol: 'anthropic-messages' });
    const can = profile.thinking !== 'none';
    expect(
      [
        profile.conversation.systemMessages === 'anywhere' ? 'system' : '-',
        profile.sampling === 'refused' ? 'refused' : '-',
        profile.thinking === 'adaptive' ? 'adaptive' : '-',
        can ? 'can' : '-',
        can && !profile.efforts.includes('none') ? 'always' : '-',
      ].join(' '),
    ).toBe(decisions);
  });
});

/** Name; signed calls; efforts, or the least and the most tokens of a budget. */
const GEMINI: readonly (readonly [string, boolean, string])[] = [
  ['gemini-2.0-flash', false, NO_EFFORT],
  ['gemini-2.5-flash', false, '0 24576'],
  ['gemini-2.5-flash-image', false, NO_EFFORT],
  ['gemini-3-pro-image-preview', true, NO_EFFORT],
  ['gemini-3.1-pro-preview', true, LOW_TO_HIGH],
  ['gemini-3-flash-preview', true, 'minimal minimal low medium high high high'],
  ['gemini-embedding-001', false, NO_EFFORT],
  ['upstream', false, NO_EFFORT],
  // Corrected: the most was that of Flash.
  ['gemini-2.5-pro', false, '128 32768'],
  // Corrected: `medium` and `minimal` were sent, which these refuse.
  ['gemini-3-pro', true, 'low low low low high high high'],
  ['gemini-3.8-flash', true, LOW_TO_HIGH],
];

describe('Gemini', () => {
  it.each(GEMINI)('%s', (name, signedCalls, amount) => {
    const profile = profileFor(name, { kind: 'gemini', protocol: 'gemini' });
    const { thinking, thinkingTokens } = profile;
    const tokens = `${String(thinkingTokens?.min)} ${String(thinkingTokens?.max)}`;
    expect(thinking === 'budget' ? tokens : efforts(profile)).toBe(amount);
    expect(profile).toMatchObject({ signedCalls, stopSequencesMax: 5, parallelSwitch: false });
  });
});
