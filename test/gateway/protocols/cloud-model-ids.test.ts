import { describe, expect, it } from 'vitest';
import { idsBehind } from '../../../gateway/protocols/cloud-model-ids.ts';

describe('the id of a cloud', () => {
  it.each([
    ['anthropic.claude-opus-5-5', 'claude-opus-5-5'],
    ['us.anthropic.claude-opus-5-5', 'claude-opus-5-5'],
    ['us-gov.anthropic.claude-opus-5-5', 'claude-opus-5-5'],
    ['eu.anthropic.claude-opus-5-5-v1', 'claude-opus-5-5'],
    ['apac.anthropic.claude-opus-5-5-v1:0', 'claude-opus-5-5'],
    ['jp.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929'],
    ['au.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5'],
    ['global.anthropic.claude-sonnet-4-5-20250929-v1:0', 'claude-sonnet-4-5-20250929-v1:0'],
    ['global.anthropic.claude-sonnet-4-5-v1:0', 'anthropic.claude-sonnet-4-5-v1:0'],
    ['anthropic.claude-3-5-sonnet-20241022-v2:0:200k', 'claude-3-5-sonnet-20241022'],
    ['us.amazon.nova-pro-v1:0', 'amazon.nova-pro-v1:0'],
    ['us.amazon.nova-pro-v1:0', 'amazon.nova-pro'],
    ['arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-opus-5-5', 'claude-opus-5-5'],
    [
      'arn:aws-us-gov:bedrock:us-gov-west-1:123456789012:inference-profile/us-gov.anthropic.claude-opus-5-5-v1:0',
      'claude-opus-5-5',
    ],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5-20250929'],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
    ['claude-opus-5-5@default', 'claude-opus-5-5'],
  ])('%s is %s', (cloudId, id) => {
    expect(idsBehind(cloudId)).toContain(id);
  });

  it('has the most exact id first', () => {
    expect(idsBehind('us.anthropic.claude-sonnet-4-5-20250929-v1:0')).toEqual([
      'anthropic.claude-sonnet-4-5-20250929-v1:0',
      'claude-sonnet-4-5-20250929-v1:0',
      'claude-sonnet-4-5-20250929',
      'claude-sonnet-4-5',
    ]);
  });

  it.each([
    'claude-opus-5-5',
    // Dates and versions are parts of vendors' own ids, too.
    'claude-sonnet-4-5-20250929',
    'some-model-v2',
    'us.',
    'us.east',
    'llama3.1:8b',
    'name@host',
    'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc123',
    'vendor/us.anthropic.claude',
  ])('%s is no such id', (id) => {
    expect(idsBehind(id)).toEqual([]);
  });
});
