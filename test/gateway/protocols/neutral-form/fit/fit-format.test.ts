import { describe, expect, it } from 'vitest';
import { fitFormat } from '../../../../../gateway/protocols/neutral-form/fit/fit-format.ts';
import type {
  NeutralMessage,
  ReplyFormat,
} from '../../../../../gateway/protocols/neutral-form/request.ts';
import { OPENAI_NAME, profileWith } from './support/profile-with.ts';
import { fitted, requestOf, system, text, tool, user } from './support/requests.ts';

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const FORMAT: ReplyFormat = { type: 'json_schema', name: 'place', schema: SCHEMA, strict: true };
const JSON_OBJECT: ReplyFormat = { type: 'json' };

function instructions(messages: readonly NeutralMessage[]): string {
  const texts = messages.flatMap((message) =>
    message.role === 'system' ? message.parts.map((part) => part.text) : [],
  );
  return texts.join('\n');
}

const TOOL = profileWith({ jsonSchema: 'tool', jsonObject: 'prompt', toolName: OPENAI_NAME });

describe('a JSON schema where the target has no such format', () => {
  it('is the input of a tool that must be called', () => {
    const request = requestOf([user('where?')], { format: FORMAT });
    const { request: sent, restoration } = fitted(fitFormat, request, TOOL);
    const { formatTool = '' } = restoration ?? {};
    expect(formatTool).toMatch(/^[\w-]{1,64}$/);
    expect(sent).toMatchObject({
      messages: [user('where?')],
      tools: [{ name: formatTool, schema: SCHEMA, strict: true }],
      toolChoice: { mode: 'tool', name: formatTool },
    });
    expect(sent.format).toBeUndefined();
    expect(fitted(fitFormat, request, TOOL)).toEqual({ request: sent, restoration });
  });

  it('leaves the client’s tools callable', () => {
    const tools = [tool('Bash'), tool('Read')];
    const base = requestOf([user('where?')], { format: FORMAT, tools });
    const name = fitted(fitFormat, base, TOOL).restoration?.formatTool;
    for (const [toolChoice, sent] of [
      [undefined, { mode: 'required' }],
      [{ mode: 'auto' }, { mode: 'required' }],
      [
        { mode: 'auto', among: ['Read'] },
        { mode: 'required', among: ['Read', name] },
      ],
      [{ mode: 'none' }, { mode: 'tool', name }],
    ] as const) {
      const { request } = fitted(fitFormat, { ...base, toolChoice }, TOOL);
      expect(request.tools.map((one) => one.name)).toEqual(['Bash', 'Read', name]);
      expect(request.toolChoice).toEqual(sent);
    }
    // It gets a name that none of them has.
    const taken = { ...base, tools: [...tools, tool(name ?? '')] };
    const other = fitted(fitFormat, taken, TOOL).restoration?.formatTool;
    expect(other).not.toBe(name);
  });

  it('is put into the prompt where a tool cannot be forced', () => {
    const thinking = { format: FORMAT, effort: 'high' } as const;
    const forced = {
      format: FORMAT,
      tools: [tool('a')],
      toolChoice: { mode: 'required' },
    } as const;
    const array = { type: 'json_schema', schema: { type: 'array' } } as const;
    for (const [more, profile] of [
      [{ format: FORMAT }, { ...TOOL, forcedTools: 'refused' }],
      [thinking, { ...TOOL, forcedTools: 'without_thinking' }],
      [{ format: FORMAT }, { ...TOOL, forcedTools: 'without_thinking', thinksByDefault: true }],
      [forced, TOOL],
      [{ format: array }, TOOL],
      [
        { format: FORMAT, tools: [tool('a')] },
        { ...TOOL, toolsMax: 1 },
      ],
      [
        { format: FORMAT, tools: [tool('a')] },
        { ...TOOL, formatWithTools: false },
      ],
    ] as const) {
      const request = requestOf([system('be brief'), user('where?')], more);
      const { request: sent, restoration } = fitted(fitFormat, request, profile);
      expect(restoration).toBeUndefined();
      expect(sent.tools).toBe(request.tools);
      expect(sent.toolChoice).toBe(request.toolChoice);
      expect(sent.format).toBeUndefined();
      expect(sent.messages[0]).toEqual(system('be brief'));
      expect(instructions(sent.messages)).toContain(JSON.stringify(more.format.schema));
    }
    const step = fitted(
      fitFormat,
      requestOf([user('where?')], { format: FORMAT, effort: 'none' }),
      { ...TOOL, forcedTools: 'without_thinking', thinksByDefault: true },
    );
    expect(step.restoration?.formatTool).toBeDefined();
  });

  it('is put into the prompt alongside the format for any object', () => {
    const profile = profileWith({ jsonSchema: 'prompt', jsonObject: 'format' });
    const { request: sent } = fitted(
      fitFormat,
      requestOf([user('x')], { format: FORMAT }),
      profile,
    );
    expect(sent.format).toEqual({ type: 'json' });
    expect(instructions(sent.messages)).toContain(JSON.stringify(SCHEMA));
    const array: ReplyFormat = { type: 'json_schema', schema: { type: 'array' } };
    const list = fitted(fitFormat, requestOf([user('x')], { format: array }), profile).request;
    expect(list.format).toBeUndefined();
    expect(instructions(list.messages)).toContain('one JSON value');
  });
});

describe('any JSON object', () => {
  it('is asked for in the prompt where the target has no such format', () => {
    const request = requestOf([user('where?')], { format: JSON_OBJECT });
    const { request: sent } = fitted(fitFormat, request, profileWith({ jsonObject: 'prompt' }));
    expect(sent.format).toBeUndefined();
    expect(instructions(sent.messages)).toContain('Answer with one JSON object and nothing else');
    expect(sent.messages.at(-1)).toEqual(user('where?'));
  });

  it('is asked for in the prompt alongside tools, where both are refused', () => {
    const tools = [tool('Bash')];
    const request = requestOf([user('where?')], { format: JSON_OBJECT, tools });
    const { request: sent } = fitted(fitFormat, request, profileWith({ formatWithTools: false }));
    expect(sent.format).toBeUndefined();
    expect(sent.tools).toBe(tools);
    expect(instructions(sent.messages)).toContain('Call tools as you need them.');
  });

  it('is named in the prompt where the format is refused without the word JSON', () => {
    const profile = profileWith({ jsonObject: 'format_if_named' });
    const request = requestOf([user('where?')], { format: JSON_OBJECT });
    const { request: sent } = fitted(fitFormat, request, profile);
    expect(sent.format).toEqual(JSON_OBJECT);
    expect(instructions(sent.messages)).toContain('JSON');
    const named = requestOf([user(text('as json'))], { format: JSON_OBJECT });
    expect(fitted(fitFormat, named, profile).request).toBe(named);
  });
});

describe('a format that the target has', () => {
  it('leaves the request the very same', () => {
    for (const format of [FORMAT, JSON_OBJECT, undefined]) {
      for (const tools of [[], [tool('Bash')]]) {
        const request = requestOf([user('where?')], { format, tools });
        expect(fitted(fitFormat, request, profileWith({})).request).toBe(request);
      }
    }
  });
});
