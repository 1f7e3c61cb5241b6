import { describe, expect, it } from 'vitest';
import { profileOf } from '../../../../gateway/providers/profiles/profile-of.ts';
import { bodyOf, CLAUDE, NOVA } from './support/converse.ts';
import { CALLED, contentOf, HOUR, LLAMA, MARK, POINT, TOOL, user } from './support/messages.ts';

describe('cache points', () => {
  it('stand behind the tool that is marked (bifrost 5629)', () => {
    const tools = [
      { ...TOOL, cache: MARK },
      { ...TOOL, name: 'other' },
    ];
    expect(bodyOf({ tools })['toolConfig']).toMatchObject({
      tools: [{ toolSpec: { name: 'look_up' } }, POINT, { toolSpec: { name: 'other' } }],
    });
  });

  it('are kept from the tools of a Nova, and from models without a cache (LibreChat 13838)', () => {
    const messages = [user({ type: 'text', text: 'Hi', cache: MARK })];
    const request = { messages, tools: [{ ...TOOL, cache: MARK }] };
    expect(bodyOf(request, NOVA)).toMatchObject({
      messages: [{ content: [{ text: 'Hi' }, POINT] }],
      toolConfig: { tools: [{ toolSpec: {} }] },
    });
    expect(JSON.stringify(bodyOf(request, NOVA)).split('cachePoint').length - 1).toBe(1);
    expect(JSON.stringify(bodyOf(request, LLAMA))).not.toContain('cachePoint');
  });

  it('last an hour where that is asked for and the model takes it', () => {
    const messages = [user({ type: 'text', text: 'Hi', cache: HOUR })];
    const ttl = (model: string): unknown =>
      (bodyOf({ messages }, model)['messages'] as { content: unknown[] }[])[0]?.content[1];
    expect(ttl(CLAUDE)).toEqual({ cachePoint: { type: 'default', ttl: '1h' } });
    expect(ttl('us.anthropic.claude-3-7-sonnet-20250219-v1:0')).toEqual(POINT);
    expect(ttl(NOVA)).toEqual(POINT);
  });

  it('are four at most: the last ones cover the longest prompts', () => {
    const parts = ['a', 'b', 'c', 'd', 'e'].map(
      (text) => ({ type: 'text', text, cache: MARK }) as const,
    );
    const content = [{ text: 'a' }, ...['b', 'c', 'd', 'e'].flatMap((text) => [{ text }, POINT])];
    expect(contentOf(parts)).toEqual(content);
  });

  it('come from a mark within a result, and stand behind it', () => {
    const content = [{ type: 'text', text: 'R', cache: MARK }] as const;
    const result = { type: 'tool_result', callId: 'call_1', content, isError: false } as const;
    const messages = [...CALLED.slice(0, 2), { role: 'tool', parts: [result] } as const];
    expect((bodyOf({ messages })['messages'] as { content: object[] }[])[2]?.content[1]).toEqual(
      POINT,
    );
  });

  it('cover the whole prompt of a client that names a cache and marks nothing', () => {
    expect(bodyOf({ cacheKey: 'k' })['messages']).toEqual([
      { role: 'user', content: [{ text: 'Hi' }, POINT] },
    ]);
  });

  it('reach an application profile whose model the operator has named (litellm 26625)', () => {
    const arn = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc';
    const upstreamProtocol = 'bedrock-converse';
    const at = { kind: 'openai', baseUrl: 'https://x.test', upstreamModel: arn } as const;
    const profile = profileOf({ ...at, upstreamProtocol, chosen: 'bedrock/claude-4.5' });
    const messages = [user({ type: 'text', text: 'Hi', cache: MARK })];
    expect(bodyOf({ messages }, arn, { profile })['messages']).toEqual([
      { role: 'user', content: [{ text: 'Hi' }, POINT] },
    ]);
  });
});
