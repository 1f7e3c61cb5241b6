import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChatStream } from '../../../../../gateway/protocols/openai-chat/pass-through/chat-stream.ts';
import { DeliveredOutput } from '../../../../../gateway/protocols/sse/delivered-output.ts';
import { readUsage } from '../../../../../gateway/protocols/openai-family/usage.ts';
import { anyCodePoint } from '../../../../support/any-code-point.ts';
import {
  event,
  packetPerEvent,
  packetsOf,
  read,
  recording,
  translate,
  WHOLE_STREAMS,
  type Translated,
} from '../../../../support/clients/recorded-stream.ts';
import { readStrictly } from '../../../../support/clients/strict-chat-client.ts';

function finishWith(extra: object): string {
  return event({}, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], ...extra });
}

const FINISH = finishWith({});

describe('a well-formed stream under the public name', () => {
  const model = 'gpt-4o-mini-2024-07-18';

  it('goes out in the very buffers it came in', () => {
    const stream = new ChatStream({ publicModel: model, includeUsage: true, choices: 1 });
    const packets = packetPerEvent(recording('openai-text.chunks.txt'));
    for (const packet of packets.slice(0, -2)) expect(stream.push(packet)).toBe(packet);
    expect(stream.done).toBe(false);
    for (const packet of packets.slice(-2)) expect(stream.push(packet).length).toBe(0);
    expect(stream.done).toBe(true);
    const reported = JSON.parse((packets.at(-2) ?? '').toString().slice(6)) as { usage: object };
    const [told = '', ...done] = stream.endMarker().split(/(?<=\n\n)/);
    expect(JSON.parse(told.slice(6))).toMatchObject({ choices: [], usage: reported.usage });
    expect(done).toEqual(['data: [DONE]\n\n']);
  });

  it('is not copied either when all of it comes in one packet', () => {
    const stream = new ChatStream({ publicModel: model, includeUsage: true, choices: 1 });
    const whole = recording('openai-text.chunks.txt');
    const sent = stream.push(whole);
    expect(sent.buffer).toBe(whole.buffer);
    expect(sent.toString()).toBe(packetPerEvent(whole).slice(0, -2).join(''));
  });

  it('has no usage at all, not even null, when the client did not ask for it', () => {
    const whole = recording('openai-text.chunks.txt').toString();
    const { text } = translate([Buffer.from(whole)], { publicModel: model });
    const events = whole.split(/(?<=\n\n)/);
    const asked = events.filter((chunk) => !chunk.includes('"choices":[]')).join('');
    expect(text).toBe(asked.replaceAll(',"usage":null', ''));
  });
});

describe('every recorded stream', () => {
  // `created` is the second in which a stream began, and of two streams that are compared the same.
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(WHOLE_STREAMS)('%s comes out in the form that every SDK understands', (name) => {
    const { models, finished } = read(name);
    expect(models).toEqual(['public-model']);
    expect(finished).toBe(true);
  });

  it.each(WHOLE_STREAMS)('%s comes out the same however it is packed', (name) => {
    const bytes = recording(`${name}.chunks.txt`);
    const choices = { choices: 2 };
    // Ids made here for what has none differ each time.
    const stable = ({ text }: Translated): string => text.replaceAll(/[0-9a-f]{32}/g, 'made-here');
    const expected = stable(translate(packetPerEvent(bytes), choices));
    for (const size of [1, 7, 64, 700, bytes.length]) {
      expect(stable(translate(packetsOf(bytes, size), choices))).toBe(expected);
    }
  });

  it.each(WHOLE_STREAMS)('%s says the same with CR LF and without spaces', (name) => {
    const text = recording(`${name}.chunks.txt`).toString();
    const odd = Buffer.from(text.replaceAll('data: ', 'data:').replaceAll('\n', '\r\n'));
    const expected = read(name);
    // Nothing of it is recognised, as chunks with CR LF are parsed one and all.
    const { texts, reasonings, tools, finishReasons } = readStrictly(translate([odd]).text);
    expect({ texts, reasonings, tools, finishReasons }).toEqual({
      texts: expected.texts,
      reasonings: expected.reasonings,
      tools: expected.tools,
      finishReasons: expected.finishReasons,
    });
  });

  it.each(WHOLE_STREAMS)(
    '%s carries usage once, in a chunk of its own, for a client that asked',
    (name) => {
      const asked = read(name, { includeUsage: true });
      const silent = read(name);
      expect(silent.usages).toEqual([]);
      expect(asked.usages.length).toBe(asked.stream.usage === null ? 0 : 1);
      expect(asked.texts).toEqual(silent.texts);
    },
  );
});

describe('what is read from', () => {
  it('OpenAI text: the words, the usage, the end', () => {
    const { texts, stream } = read('openai-text');
    expect(texts).toEqual(['The weir holds back the river — ruhig, bis es überläuft.\n"Gut" 🌊']);
    expect(stream.usage).toMatchObject({ input: 18, output: 19 });
    expect([stream.done, stream.finished, stream.hasContent]).toEqual([true, true, true]);
  });

  it('OpenAI tools: both calls and the text of their arguments', () => {
    const { tools, finishReasons, stream } = read('openai-tools');
    expect(tools).toEqual([
      { id: 'call_8Hq', name: 'get_water_level', arguments: '{"location":"Bad Tölz"}' },
      { id: 'call_9Jr', name: 'list_rivers', arguments: '{}' },
    ]);
    expect(finishReasons).toEqual(['tool_calls']);
    expect(stream.hasContent).toBe(true);
  });

  it('DeepSeek: reasoning and content, and usage that came with the last choice', () => {
    const { texts, reasonings, stream } = read('deepseek-reasoning', { includeUsage: true });
    expect(reasonings).toEqual(['Wasser fließt \\n "so"水位高']);
    expect(texts).toEqual(['答案: 42\n']);
    expect(stream.usage).toEqual({
      input: 12,
      cachedInput: 0,
      cacheWrite: 0,
      output: 30,
      reasoning: 20,
    });
  });

  it('Mistral: thinking and text from lists of parts, and strings behind them', () => {
    const { texts, reasonings, stream } = read('mistral-thinking');
    expect(reasonings).toEqual(['The gate is shut, so "it" rises. Done.']);
    expect(texts).toEqual(['Open the Schütz, now.']);
    expect(stream.hasContent).toBe(true);
  });

  it('a server that sends thinking in both forms: it once', () => {
    const content = [{ type: 'thinking', thinking: 'Hm' }];
    const events = [event({ role: 'assistant' }), event({ content, reasoning_content: 'Hm' })];
    const { text } = translate([Buffer.from(events.join(''))]);
    expect(readStrictly(text)).toMatchObject({ texts: [''], reasonings: ['Hm'] });
  });

  it('a function called in the form before tools: its name once, and that it was called', () => {
    const calls = [
      { name: 'f', arguments: '' },
      { name: 'f', arguments: '{"a"' },
      { arguments: ':1}' },
    ];
    const events = calls.map((call) => event({ function_call: call }));
    const { text, stream } = translate([Buffer.from(events.join('') + FINISH)]);
    expect(stream.deliveredText()).toBe('f{"a":1}');
    expect(readStrictly(text).finishReasons).toEqual(['function_call']);
    const silent = event({ content: 'x', function_call: { name: '', arguments: '' } }) + FINISH;
    expect(translate([Buffer.from(silent)]).text).toContain('"finish_reason":"stop"');
  });

  it('audio: what it says', () => {
    const said = [{ id: 'a', transcript: 'low ' }, { data: 'AAAA' }, { transcript: 'water' }];
    const events = said.map((audio) => event({ audio }));
    const { text, stream } = translate([Buffer.from(events.join(''))]);
    expect(stream.deliveredText()).toBe('low water');
    expect(text).toContain('AAAA');
  });

  it('a list of parts with an image: that list', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image_url', image_url: { url: 'u' } },
    ];
    const { text, stream } = translate([Buffer.from(event({ content }))]);
    expect(text).toContain(JSON.stringify(content));
    expect(stream.deliveredText()).toBe(JSON.stringify(content));
  });

  it('OpenRouter: no comments, and the role once', () => {
    const { text, texts } = read('openrouter-text');
    expect(text).not.toContain('PROCESSING');
    expect(texts).toEqual(['Low water today.']);
  });

  it('vLLM: the last of its running reports', () => {
    expect(read('vllm-continuous-usage').stream.usage).toMatchObject({ input: 20, output: 4 });
  });

  it('Azure: nothing of its filter report', () => {
    const { text } = read('azure-text', { includeUsage: true });
    expect(text).not.toContain('prompt_filter_results');
    expect(text.match(/"id":"chatcmpl-az1"/g)?.length).toBe(6);
  });

  it('Gemini: two calls under one index become two calls, and "stop" becomes "tool_calls"', () => {
    const { tools, finishReasons } = read('gemini-tools');
    expect(tools.map((call) => call.arguments)).toEqual(['{"city":"Graz"}', '{"city":"Linz"}']);
    expect(finishReasons).toEqual(['tool_calls']);
  });

  it('Ollama: arguments that were an object or nothing become JSON text', () => {
    const { tools, finishReasons } = read('ollama-tools');
    expect(tools).toEqual([
      { id: 'call_a1', name: 'open_gate', arguments: '{"gate":3}' },
      { id: 'call_a2', name: 'close_all', arguments: '{}' },
    ]);
    expect(finishReasons).toEqual(['tool_calls']);
  });

  it('a server that repeats id and name: each once, under indexes without gaps', () => {
    expect(read('repeated-tool-fields').tools).toEqual([
      { id: 'call_x', name: 'measure', arguments: '{"a":1,"b":2}' },
      { id: 'call_y', name: 'drain', arguments: '{}' },
    ]);
  });

  it('a server that leaves everything out: whole chunks', () => {
    const { texts, stream } = read('bare');
    expect(texts).toEqual(['Still water runs deep']);
    expect(stream.usage).toMatchObject({ input: 5, output: 4 });
    expect(stream.done).toBe(true);
  });

  it('two choices: each by itself', () => {
    const { texts, finishReasons, stream } = read('two-choices', { choices: 2 });
    expect(texts).toEqual([' a b c', ' a b c']);
    expect(finishReasons).toEqual(['stop', 'length']);
    expect(stream.finished).toBe(true);
  });
});

describe('the output that was delivered', () => {
  it.each(WHOLE_STREAMS)('is kept as text for counting while no usage has come: %s', (name) => {
    const withoutUsage = recording(`${name}.chunks.txt`)
      .toString()
      .replaceAll(/"usage":\{/g, '"unused":{');
    const { stream, text } = translate(packetPerEvent(Buffer.from(withoutUsage)), { choices: 2 });
    const { texts, reasonings, tools } = readStrictly(text);
    const called = tools.map((call) => call.name + call.arguments);
    const delivered = [...texts, ...reasonings, ...called].join('');
    // Braces added for calls without arguments were not the upstream's.
    const letters = (said: string): string[] => said.replaceAll(/[{}]/g, '').split(/(?:)/u).sort();
    expect(letters(stream.deliveredText())).toEqual(letters(delivered));
    expect(stream.outputTokensEstimate).toBeGreaterThan(0);
  });

  it('is the same whether chunks were parsed or recognised', () => {
    const pieces = fc.array(fc.string({ unit: anyCodePoint, minLength: 1, maxLength: 12 }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(pieces, fc.boolean(), (texts, renamed) => {
        const publicModel = renamed ? 'other' : 'm';
        const events = [
          event({ role: 'assistant', content: '' }),
          ...texts.map((content) => event({ content })),
        ];
        const { stream, text } = translate([Buffer.from(events.join(''))], { publicModel });
        const chunks = text.split('\n\n').filter((block) => block !== '');
        const got = chunks.map((block) => {
          const { model, choices } = JSON.parse(block.slice(6)) as {
            model: string;
            choices: { delta: { content: string } }[];
          };
          expect(model).toBe(publicModel);
          return choices[0]?.delta.content ?? '';
        });
        const wellFormed = texts.join('').toWellFormed();
        expect(got.join('').toWellFormed()).toBe(wellFormed);
        expect(stream.deliveredText().toWellFormed()).toBe(wellFormed);
        const counted = new DeliveredOutput();
        for (const piece of texts) counted.add(piece);
        expect(stream.outputTokensEstimate).toBe(counted.tokensEstimate);
      }),
      { numRuns: 300 },
    );
  });

  it('is escapes and all when the upstream escapes what is not ASCII', () => {
    const escaped = ['ü', '水', '🌊', '<b>'].map((content) =>
      event({ content }).replace(/"content":"(.*?)"/, (_all, text: string) => {
        const units = Array.from({ length: text.length }, (_none, at) => text.charCodeAt(at));
        return `"content":"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
      }),
    );
    const all = [event({ role: 'assistant', content: '' }), event({ content: 'a' }), ...escaped];
    const { stream } = translate([Buffer.from(all.join(''))]);
    expect(stream.deliveredText()).toBe('aü水🌊<b>');
  });

  it('is not billed by a report that covers less than was delivered when the stream breaks', () => {
    const early = { usage: { prompt_tokens: 10, completion_tokens: 1, total_tokens: 11 } };
    const events = [event({ role: 'assistant', content: '' }, early)];
    for (let index = 0; index < 5; index += 1) events.push(event({ content: ` word${index}` }));
    const { stream } = translate([Buffer.from(events.join(''))]);
    expect(stream.usage).toBeNull();
    expect(stream.promptUsage).toMatchObject({ input: 10, output: 0 });
    expect(stream.deliveredText()).toBe(' word0 word1 word2 word3 word4');
  });

  it('is not billed by such a report when the stream is whole, either', () => {
    const early = { usage: { prompt_tokens: 20, completion_tokens: 1, total_tokens: 21 } };
    const events = [event({ role: 'assistant', content: '' }, early)];
    for (let index = 0; index < 5; index += 1) events.push(event({ content: ` word${index}` }));
    const { stream } = translate([Buffer.from(`${events.join('')}${FINISH}data: [DONE]\n\n`)]);
    expect([stream.finished, stream.usage]).toEqual([true, null]);
    expect(stream.deliveredText()).toBe(' word0 word1 word2 word3 word4');
  });

  it.each([
    ['with the finish_reason', (report: object) => [finishWith(report)]],
    ['after it', (report: object) => [FINISH, event({}, { choices: [], ...report })]],
    [
      'on every chunk but the last',
      (report: object) => [event({ content: '.' }, report), FINISH, event({}, { choices: [] })],
    ],
  ])('is billed by a report of fewer tokens than letters that comes %s', (_name, last) => {
    const letters = Array.from('one word', (content) => event({ content }));
    const usage = { prompt_tokens: 20, completion_tokens: 2, total_tokens: 22 };
    const events = [event({ role: 'assistant', content: '' }), ...letters, ...last({ usage })];
    const { stream } = translate([Buffer.from(`${events.join('')}data: [DONE]\n\n`)]);
    expect(stream.usage).toMatchObject({ input: 20, output: 2 });
  });
});

describe('usage for a client that asked', () => {
  const counted = { input: 8, cachedInput: 0, cacheWrite: 0, output: 2, reasoning: 0 };

  it('is told once, the last, when the upstream reports it in several chunks', () => {
    const reports = [7, 9].map((tokens) => {
      const usage = { prompt_tokens: 5, completion_tokens: tokens, total_tokens: 5 + tokens };
      return event({}, { choices: [], usage });
    });
    const all = [event({ role: 'assistant', content: 'x' }), ...reports, FINISH, ...reports];
    const { text } = translate([Buffer.from(all.join(''))], { includeUsage: true });
    const { usages } = readStrictly(text);
    expect(usages).toEqual([{ prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 }]);
  });

  it('is what was counted when the upstream reports none', () => {
    const { stream, text } = translate([Buffer.from(FINISH)], { includeUsage: true });
    expect(readStrictly(text).usages).toEqual([]);
    const { usages } = readStrictly(stream.endMarker(counted));
    expect(usages).toMatchObject([{ prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 }]);
    expect(readUsage(usages[0])).toEqual(counted);
  });

  it('does not tell what the upstream charges and whom it bought from', () => {
    const provider = { provider: 'Cheap & Co.' };
    const tokens = { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 };
    const price = { cost: 0.0007, cost_details: { upstream_inference_cost: 1 }, is_byok: false };
    const texts = ['', 'a', 'b', 'c'].map((content) => event({ content }, provider));
    const usage = event({}, { choices: [], usage: { ...tokens, ...price }, ...provider });
    const events = [...texts, finishWith(provider), usage];
    const { text } = translate([Buffer.from(events.join(''))], { includeUsage: true });
    expect(readStrictly(text)).toMatchObject({ texts: ['abc'], usages: [tokens] });
    expect(text).not.toMatch(/provider|cost|byok/);
  });

  it('is nothing for one that did not', () => {
    expect(translate([Buffer.from(FINISH)]).stream.endMarker(counted)).toBe('data: [DONE]\n\n');
  });
});

describe('a server whose chunks differ', () => {
  it('in their ids is given one id', () => {
    const events = ['a', 'b', 'c'].map((id) => event({ content: 'x' }, { id }));
    const { text } = translate([Buffer.from(events.join(''))]);
    expect(readStrictly(text).texts).toEqual(['xxx']);
  });

  it('in everything is still read to its end', () => {
    const events = Array.from({ length: 40 }, (_none, at) =>
      event({ content: `${at},` }, { system_fingerprint: `fp${at}` }),
    );
    const { stream } = translate([Buffer.from(events.join(''))]);
    expect(stream.deliveredText().split(',').length).toBe(41);
  });

  it('by reporting usage of zero all along is taken to report none', () => {
    const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    const { stream, text } = translate([Buffer.from(event({ content: 'x' }, { usage }))]);
    expect(stream.usage).toBeNull();
    expect(text).not.toContain('usage');
  });
});
