import { describe, expect, it } from 'vitest';
import { fitNames } from '../../../../../gateway/protocols/neutral-form/fit/names/fit-names.ts';
import type { NeutralRequest } from '../../../../../gateway/protocols/neutral-form/request.ts';
import { GEMINI_NAME, OPENAI_NAME, profileWith } from './support/profile-with.ts';
import {
  assistant,
  call,
  fitted,
  refusalOf,
  requestOf,
  result,
  results,
  tool,
  user,
} from './support/requests.ts';

const OPENAI = profileWith({ toolName: OPENAI_NAME, toolsMax: 128 });
const GEMINI = profileWith({ toolName: GEMINI_NAME });

const LONG = `mcp__${'server'.repeat(10)}__${'a'.repeat(15)}`;
const BAD_NAMES = ['proxy/exec', 'ns.tool', 'read a file', '搜索', '💥', 'a\nb', LONG, ''];

/** All names in a request. */
function namesIn({ tools, toolChoice, messages }: NeutralRequest): string[] {
  const chosen = toolChoice?.mode === 'tool' ? [toolChoice.name] : [];
  const among = toolChoice !== undefined && 'among' in toolChoice ? toolChoice.among : [];
  const said = messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === 'tool_call' || part.type === 'tool_result' ? [part.name ?? ''] : [],
    ),
  );
  return [...tools.map(({ name }) => name), ...chosen, ...among, ...said];
}

describe('names of tools that the target refuses', () => {
  it('become ones that it takes, wherever they are, and the client gets its own back', () => {
    for (const name of BAD_NAMES.filter((one) => one !== '')) {
      const request = requestOf(
        [
          user('go'),
          assistant(call('1', name)),
          results({ ...result('1'), name }),
          assistant(call('2', 'Bash')),
          results(result('2')),
        ],
        { tools: [tool('Bash'), tool(name)], toolChoice: { mode: 'tool', name } },
      );
      const { request: sent, restoration } = fitted(fitNames, request, OPENAI);
      const own = restoration?.toolNames ?? new Map<string, string>();
      expect([...own.values()]).toEqual([name]);
      const [made = ''] = own.keys();
      expect(made).toMatch(/^[\w-]{1,64}$/);
      expect(namesIn(sent)).toEqual(['Bash', made, made, made, made, 'Bash', '']);
      // The same in the next turn, for the sake of the prompt cache.
      expect(fitted(fitNames, request, OPENAI).request).toEqual(sent);
    }
  });

  it('are fitted in the choice of some of the tools', () => {
    const request = requestOf([user('go')], {
      tools: [tool('a.b'), tool('c')],
      toolChoice: { mode: 'required', among: ['c', 'a.b'] },
    });
    const { request: sent } = fitted(fitNames, request, OPENAI);
    expect(sent.toolChoice).toEqual({ mode: 'required', among: ['c', sent.tools[0]?.name] });
  });

  it('get a first letter that Gemini takes', () => {
    for (const name of ['1mcp_search', '-x', '.x', ':x']) {
      const { request } = fitted(fitNames, requestOf([], { tools: [tool(name)] }), GEMINI);
      expect(request.tools[0]?.name).toMatch(/^[A-Za-z_][\w.:-]{0,63}$/);
    }
    const kept = requestOf([], { tools: [tool('ns.tool'), tool('a:b')] });
    expect(fitted(fitNames, kept, GEMINI).request).toBe(kept);
  });

  it('of the history alone are fitted: models make up names with spaces, and call without one', () => {
    const request = requestOf([
      user('go'),
      assistant(call('1', 'read the file'), call('2', '')),
      results(result('1'), result('2')),
    ]);
    const { request: sent, restoration } = fitted(fitNames, request, OPENAI);
    expect(namesIn(sent).slice(0, 2)).toEqual([
      expect.stringMatching(/^read_the_file_[0-9a-f]{8}$/),
      expect.stringMatching(/^tool_[0-9a-f]{8}$/),
    ]);
    // A client has no tool without a name.
    expect([...(restoration?.toolNames?.values() ?? [])]).toEqual(['read the file']);
  });

  it('stay apart from one another, and from the names that others have', () => {
    const pair = requestOf([], { tools: [tool('a.b'), tool('a/b'), tool('a_b'), tool('a b')] });
    const names = fitted(fitNames, pair, OPENAI).request.tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(4);
    // Someone's own tool has the very name that another would get.
    const [made = ''] = names;
    for (const tools of [
      [tool('a.b'), tool(made)],
      [tool(made), tool('a.b')],
    ]) {
      const { request, restoration } = fitted(fitNames, requestOf([], { tools }), OPENAI);
      const sent = request.tools.map(({ name }) => name);
      expect(sent).toContain(made);
      expect(new Set(sent).size).toBe(2);
      expect(restoration?.toolNames?.get(made)).toBeUndefined();
      const back = sent.map((name) => restoration?.toolNames?.get(name) ?? name);
      expect(back).toEqual(tools.map(({ name }) => name));
    }
    const long = requestOf([], { tools: [tool(`${LONG}1`), tool(`${LONG}2`)] });
    expect(new Set(fitted(fitNames, long, OPENAI).request.tools.map(({ name }) => name)).size).toBe(
      2,
    );
  });

  it('do not depend on the tools that others add later', () => {
    const one = fitted(fitNames, requestOf([], { tools: [tool('a.b')] }), OPENAI);
    const more = requestOf([], { tools: [tool('x.y'), tool('a.b'), tool('a_b')] });
    expect(fitted(fitNames, more, OPENAI).request.tools[1]).toEqual(one.request.tools[0]);
  });
});

describe('names that the target takes', () => {
  it('leave the request the very same', () => {
    const request = requestOf(
      [user('go'), assistant(call('1', 'Bash')), results({ ...result('1'), name: 'Bash' })],
      { tools: [tool('Bash'), tool('a'.repeat(64))], toolChoice: { mode: 'tool', name: 'Bash' } },
    );
    const step = fitted(fitNames, request, OPENAI);
    expect(step.request).toBe(request);
    expect(step.restoration).toBeUndefined();
  });
});

describe('a tool that is offered twice', () => {
  it('is offered once, where both are the same', () => {
    const other = { ...tool('a'), description: 'other' };
    const request = requestOf([], { tools: [tool('a'), tool('b'), tool('a'), other] });
    expect(fitted(fitNames, request, OPENAI).request.tools).toEqual([tool('a'), tool('b'), other]);
    const two = requestOf([], { tools: [tool('a'), other] });
    expect(fitted(fitNames, two, OPENAI).request).toBe(two);
  });
});

describe('more tools than the target takes', () => {
  it('are refused by name', () => {
    const tools = Array.from({ length: 129 }, (_, index) => tool(`tool_${index}`));
    expect(refusalOf(fitNames, requestOf([], { tools }), OPENAI)).toMatchObject({
      refused: 'invalid_value',
      param: 'tools',
      message: expect.stringContaining('at most 128 tools, and the request has 129') as string,
    });
    expect(fitted(fitNames, requestOf([], { tools: tools.slice(1) }), OPENAI)).toBeDefined();
  });
});
