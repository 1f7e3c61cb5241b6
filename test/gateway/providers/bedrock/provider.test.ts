import { describe, expect, it } from 'vitest';
import { regionOf, serviceOf } from '../../../../gateway/providers/bedrock/interfaces.ts';
import { bedrock } from '../../../../gateway/providers/bedrock/provider.ts';
import { profileName } from '../../../../gateway/providers/profiles/profile-of.ts';
import { spokenProtocols } from '../../../../gateway/providers/spoken-protocols.ts';
import type { UpstreamProtocolId } from '../../../../gateway/protocols/protocol.ts';
import { PROFILE_ARN } from '../../../support/upstreams/fake-aws/aws-error.ts';

const RUNTIME = 'https://bedrock-runtime.eu-central-1.amazonaws.com';
const MANTLE = 'https://bedrock-mantle.us-east-1.api.aws';
const CLAUDE = 'us.anthropic.claude-sonnet-4-5-20250929-v1:0';
const GPT = 'us.openai.gpt-5.6-sol';
const FOUNDATION_ARN = `arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-5-5`;

function spoken(
  upstreamModel: string,
  baseUrl: string,
  publicId?: string,
): readonly UpstreamProtocolId[] {
  return spokenProtocols(bedrock, null, { upstreamModel, baseUrl, publicId });
}

describe('the base address of a Bedrock channel', () => {
  it.each<readonly [string, string, readonly UpstreamProtocolId[], readonly string[]]>([
    [
      RUNTIME,
      CLAUDE,
      ['anthropic-messages'],
      [
        `/model/${encodeURIComponent(CLAUDE)}/invoke`,
        `/model/${encodeURIComponent(CLAUDE)}/invoke-with-response-stream`,
      ],
    ],
    [
      RUNTIME,
      FOUNDATION_ARN,
      ['anthropic-messages'],
      [
        '/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A%3Afoundation-model%2Fanthropic.claude-opus-5-5/invoke',
        '/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A%3Afoundation-model%2Fanthropic.claude-opus-5-5/invoke-with-response-stream',
      ],
    ],
    [`${RUNTIME}/anthropic`, CLAUDE, ['anthropic-messages'], ['/v1/messages']],
    [`${RUNTIME}/anthropic/v1`, CLAUDE, ['anthropic-messages'], ['/messages']],
    [
      `${RUNTIME}/openai/v1`,
      GPT,
      ['openai-chat', 'openai-responses'],
      ['/chat/completions', '/chat/completions'],
    ],
    [
      `${RUNTIME}/openai`,
      GPT,
      ['openai-chat', 'openai-responses'],
      ['/v1/chat/completions', '/v1/chat/completions'],
    ],
    [
      MANTLE,
      'anthropic.claude-opus-5-5',
      ['anthropic-messages'],
      ['/anthropic/v1/messages', '/anthropic/v1/messages'],
    ],
    [
      MANTLE,
      'openai.gpt-oss-120b',
      ['openai-chat', 'openai-responses'],
      ['/v1/chat/completions', '/v1/chat/completions'],
    ],
    [
      `${MANTLE}/openai/v1`,
      'openai.gpt-oss-120b',
      ['openai-chat', 'openai-responses'],
      ['/chat/completions', '/chat/completions'],
    ],
  ])('%s serves %s', (baseUrl, model, protocols, [path, streamPath = path]) => {
    expect(spoken(model, baseUrl)).toEqual(protocols);
    const [protocol = 'gemini'] = protocols;
    expect(bedrock.path(protocol, 'generate', model, baseUrl)).toBe(path);
    expect(bedrock.streamPath?.(protocol, model, baseUrl)).toBe(streamPath);
  });

  it('of the runtime leads to the list of inference profiles, of others to a list of models', () => {
    const { models } = bedrock;
    const profiles = '/inference-profiles?type=SYSTEM_DEFINED&maxResults=1000';
    const at = (baseUrl: string) => [models.baseUrl?.(baseUrl), models.path(baseUrl)];
    const control = 'https://bedrock.eu-central-1.amazonaws.com';
    expect(at(RUNTIME)).toEqual([control, profiles]);
    expect(at(`${RUNTIME}/anthropic`)).toEqual([control, profiles]);
    expect(at(`${RUNTIME}/openai/v1`)).toEqual([`${RUNTIME}/openai/v1`, '/models']);
    expect(at(MANTLE)).toEqual([MANTLE, '/v1/models']);
    expect(at('https://proxy.example')).toEqual(['https://proxy.example', profiles]);
    const list = { inferenceProfileSummaries: [{ inferenceProfileId: CLAUDE }, {}] };
    expect(models.names(list)).toEqual([CLAUDE]);
    expect(models.names({ data: [{ id: GPT }] })).toEqual([GPT]);
    expect(models.names({ message: 'No.' })).toBeUndefined();
  });

  it.each([
    [RUNTIME, 'eu-central-1', 'bedrock'],
    ['https://bedrock-runtime-fips.us-gov-west-1.amazonaws.com', 'us-gov-west-1', 'bedrock'],
    ['https://bedrock-runtime.cn-north-1.amazonaws.com.cn', 'cn-north-1', 'bedrock'],
    ['https://bedrock.ap-southeast-2.amazonaws.com', 'ap-southeast-2', 'bedrock'],
    [
      'https://vpce-0a1b-2c3d.bedrock-runtime.ca-central-1.vpce.amazonaws.com',
      'ca-central-1',
      'bedrock',
    ],
    [MANTLE, 'us-east-1', 'bedrock-mantle'],
    ['https://bedrock-proxy.example.com', 'us-east-1', 'bedrock'],
  ])('%s is signed for %s and %s', (baseUrl, region, service) => {
    const { host } = new URL(baseUrl);
    expect([regionOf(host), serviceOf(host)]).toEqual([region, service]);
  });
});

describe('an inference profile of the operator’s own', () => {
  it('is what the catalog says that it is', () => {
    expect(spoken(PROFILE_ARN, RUNTIME, 'claude-sonnet-4-5')).toEqual(['anthropic-messages']);
    expect(spoken(PROFILE_ARN, RUNTIME, 'nova-pro')).toEqual(['bedrock-converse']);
    expect(spoken(PROFILE_ARN, MANTLE, 'gpt-oss-120b')).toContain('openai-chat');
  });
});

describe('a credential', () => {
  const request = {
    method: 'POST',
    host: 'bedrock-runtime.eu-central-1.amazonaws.com',
    path: '/model/a/invoke',
    contentType: 'application/json',
  } as const;

  it('that is an API key of Bedrock goes into Authorization, and signs nothing', () => {
    const key = 'ABSKQmVkcm9ja0FQSUtleQ==';
    expect(bedrock.sign?.(key, request)).toBeUndefined();
    expect(bedrock.credentialHeaders(key)).toEqual(['authorization', `Bearer ${key}`]);
  });

  it('that is an access key signs for the region of the address, unless it names its own', () => {
    const scopeOf = (credential: string) =>
      /Credential=\w+\/\d{8}\/([\w-]+)/.exec(bedrock.sign?.(credential, request)?.[1] ?? '')?.[1];
    expect(scopeOf('AKIAIOSFODNN7EXAMPLE:secret')).toBe('eu-central-1');
    expect(scopeOf('AKIAIOSFODNN7EXAMPLE:secret@us-west-2')).toBe('us-west-2');
  });
});

describe('the names of Bedrock', () => {
  it.each([
    [CLAUDE, 'bedrock/claude-4.5'],
    ['global.anthropic.claude-opus-5-5', 'bedrock/claude-opus-5.5'],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0', 'bedrock/claude-3'],
    ['apac.anthropic.claude-sonnet-4-20250514-v1:0', 'bedrock/claude-3.7'],
    ['us-gov.anthropic.claude-3-7-sonnet-20250219-v1:0', 'bedrock/claude-3.7'],
    [FOUNDATION_ARN, 'bedrock/claude-opus-5.5'],
    [`arn:aws:bedrock:us-east-1:123456789012:inference-profile/${CLAUDE}`, 'bedrock/claude-4.5'],
  ])('%s is of %s', (upstreamModel, profile) => {
    // A gateway before Bedrock, whose host says nothing.
    for (const baseUrl of [RUNTIME, 'https://proxy.example']) {
      const target = { kind: 'bedrock', baseUrl, upstreamModel, chosen: null } as const;
      expect(profileName(target)).toBe(profile);
    }
  });
});
