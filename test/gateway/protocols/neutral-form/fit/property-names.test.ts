import { describe, expect, it } from 'vitest';
import type { EventReader } from '../../../../../gateway/protocols/neutral-form/neutral-form.ts';
import { fitRequest } from '../../../../../gateway/protocols/neutral-form/fit/fit-request.ts';
import { renameKeys } from '../../../../../gateway/protocols/neutral-form/fit/names/key-renamer.ts';
import { restoreEvents } from '../../../../../gateway/protocols/neutral-form/fit/restore-events.ts';
import { restoreReply } from '../../../../../gateway/protocols/neutral-form/fit/restore-reply.ts';
import type { NeutralEvent } from '../../../../../gateway/protocols/neutral-form/reply.ts';
import type {
  AssistantPart,
  NeutralRequest,
} from '../../../../../gateway/protocols/neutral-form/request.ts';
import { isRefusal } from '../../../../../gateway/platform/errors/refusal.ts';
import { profileOf } from '../../../../../gateway/providers/profiles/profile-of.ts';
import { assistant, call, requestOf, result, results, text, user } from './support/requests.ts';

const CLAUDE = profileOf({
  kind: 'anthropic',
  baseUrl: 'https://api.anthropic.com',
  upstreamModel: 'claude-sonnet-4-5',
  upstreamProtocol: 'anthropic-messages',
  chosen: null,
});

/** Keys with spaces, in another alphabet, too long, empty, and one that looks like a fitted one. */
const LONG = 'k'.repeat(70);
const SCHEMA = {
  type: 'object',
  properties: {
    'a key': { type: 'string', description: 'One.' },
    城市: { $ref: '#/$defs/city' },
    plain: { type: 'array', items: { type: 'object', properties: { 'a key': {} } } },
    [LONG]: { type: 'integer' },
    '': { type: 'null' },
  },
  $defs: { city: { type: 'object', properties: { 'post code': { type: 'string' } } } },
  required: ['a key', 'plain'],
  dependentRequired: { 'a key': ['城市'], plain: ['a key'] },
  default: { 'a key': 'x' },
};

function fit(request: NeutralRequest) {
  const fitted = fitRequest(request, CLAUDE);
  if (isRefusal(fitted)) throw new Error(fitted.message);
  return fitted;
}

function keysIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(keysIn);
  const { properties = {} } = value as { properties?: object };
  return [...(Array.isArray(value) ? [] : Object.keys(properties)), ...inside];
}

const WITH_TOOL = requestOf(
  [
    user('Hi'),
    assistant(call('c1', 'my.tool', '{"a key":1.50,"plain":[{"a key":12345678901234567890}]}')),
    results(result('c1')),
  ],
  { tools: [{ name: 'my.tool', schema: SCHEMA }] },
);

/** Returns the upstream's call of its tool, by the request that it got. */
function answered(fitted: ReturnType<typeof fit>, input: string): AssistantPart {
  const [tool] = fitted.request.tools;
  const [, said] = fitted.request.messages;
  const own = said?.parts.find((part) => part.type === 'tool_call');
  expect(own?.input).toContain('1.50');
  expect(own?.input).toContain('12345678901234567890');
  const names = fitted.restoration?.propertyNames?.get('my.tool') ?? new Map<string, string>();
  const back = new Map([...names].map(([theirs, ours]) => [ours, theirs]));
  return call('c2', tool?.name, renameKeys(input, back));
}

function streamed(parts: readonly NeutralEvent[]): EventReader {
  let at = 0;
  return { read: () => parts.slice(at, (at += 1)), close: () => [{ type: 'done' }] };
}

const INPUT = `{"a key": "a key\\"{", "plain":[{"a key":{"post code":"1,"}},"城市"],"城市":{"post code":1.0},"${LONG}":0,"":null,"other key":2}`;

describe('properties whose names Anthropic refuses', () => {
  it('are renamed wherever the schema names them, and explained', () => {
    const { request } = fit(WITH_TOOL);
    const schema = request.tools[0]?.schema;
    const names = keysIn(schema);
    expect(names).toHaveLength(7);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
    const properties = schema?.['properties'] as Record<string, { description?: string }>;
    const [first = '', second = ''] = Object.keys(properties);
    expect(properties[first]?.description).toBe('One.\nStands for the property "a key".');
    expect(properties[second]?.description).toBe('Stands for the property "城市".');
    expect(schema).toMatchObject({
      required: [first, 'plain'],
      dependentRequired: { [first]: [second], plain: [first] },
      default: { [first]: 'x' },
    });
  });

  it('have the client’s names in the arguments of whole replies', () => {
    const fitted = fit(WITH_TOOL);
    const reply = { id: 'r', parts: [answered(fitted, INPUT)], end: 'tool_calls', usage: null };
    const restored = restoreReply(reply as never, fitted.restoration);
    expect(restored.parts).toEqual([call('c2', 'my.tool', INPUT)]);
  });

  it.each([1, 2, 7, 1_000])('have them in streams of pieces of %i letters', (size) => {
    const fitted = fit(WITH_TOOL);
    const part = answered(fitted, INPUT);
    if (part.type !== 'tool_call') throw new Error('no call');
    const events: NeutralEvent[] = [
      { type: 'tool_call', index: 0, id: 'c2', name: part.name, freeForm: false },
    ];
    for (let at = 0; at < part.input.length; at += size) {
      events.push({ type: 'tool_input', index: 0, text: part.input.slice(at, at + size) });
    }
    events.push({ type: 'end', reason: 'tool_calls' });
    const reader = restoreEvents(streamed(events), fitted.restoration);
    const restored = events.flatMap(() => reader.read('', Buffer.alloc(0)));
    const input = restored.flatMap((event) => (event.type === 'tool_input' ? [event.text] : []));
    expect(restored[0]).toMatchObject({ name: 'my.tool' });
    expect(input.join('')).toBe(INPUT);
  });

  it('have them in a reply by a format', () => {
    const format = { type: 'json_schema', schema: SCHEMA, name: 'reply' } as const;
    for (const profile of [CLAUDE, { ...CLAUDE, jsonSchema: 'tool' as const }]) {
      const fitted = fitRequest(requestOf([user('Hi')], { format }), profile);
      if (isRefusal(fitted)) throw new Error(fitted.message);
      const tool = fitted.restoration?.formatTool;
      const names =
        tool === undefined
          ? fitted.restoration?.formatPropertyNames
          : fitted.restoration?.propertyNames?.get(tool);
      const back = new Map([...(names ?? [])].map(([theirs, ours]) => [ours, theirs]));
      expect(back.size).toBe(5);
      const sent = renameKeys(INPUT, back);
      const part = tool === undefined ? text(sent) : call('c', tool, sent);
      const whole = { id: 'r', parts: [part], end: 'stop', usage: null } as const;
      expect(restoreReply(whole, fitted.restoration).parts).toEqual([text(INPUT)]);
      const events: NeutralEvent[] =
        tool === undefined
          ? [
              { type: 'text', text: sent.slice(0, 9) },
              { type: 'text', text: sent.slice(9) },
            ]
          : [
              { type: 'tool_call', index: 0, id: 'c', name: tool, freeForm: false },
              { type: 'tool_input', index: 0, text: sent.slice(0, 9) },
              { type: 'tool_input', index: 0, text: sent.slice(9) },
            ];
      const reader = restoreEvents(streamed(events), fitted.restoration);
      const restored = events.flatMap(() => reader.read('', Buffer.alloc(0)));
      const said = restored.map((event) => (event.type === 'text' ? event.text : ''));
      expect(said.join('')).toBe(INPUT);
    }
  });

  it('keep their names where all of them fit, and the schema is the same object', () => {
    const schema = { type: 'object', properties: { 'a.b-c_D1': {} } };
    const fitted = fit(requestOf([user('Hi')], { tools: [{ name: 'ls', schema }] }));
    expect(fitted.request.tools[0]?.schema).toBe(schema);
    expect(fitted.restoration).toBeNull();
  });

  it('leave text that is no JSON as it is', () => {
    const names = new Map([['a_b', 'a b']]);
    for (const said of [
      'a_b "a_b" {"a_b',
      'In {1, "quoted a_b" and "a_b"',
      '{"a_b\\"":1}',
      '"a_b":1',
    ]) {
      expect(renameKeys(said, names)).toBe(said);
    }
    expect(renameKeys('Look: {"x":["a_b",{"a_b":"a_b"}]}', names)).toBe(
      'Look: {"x":["a_b",{"a b":"a_b"}]}',
    );
  });
});
