import type * as Sdk from '@google/genai';
import { describe, expect, it } from 'vitest';
import { costOf } from '../../agent-tools/support/sell-models.ts';
import { CITY, CITY_SCHEMA, CITY_TEXT, THOUGHT, callThenReport } from './flow-turns.ts';
import { describeExceptions, type Exceptions } from './describe-exceptions.ts';
import type { ServedLibraries } from './serve-libraries.ts';

interface Version {
  readonly packageName: string;
  readonly exceptions: Exceptions;
  readonly served: () => ServedLibraries;
  /** The models that the version is tried with, by the names of their upstreams. */
  readonly models: Readonly<Record<string, string>>;
}

const TOOL = {
  name: 'look_up',
  parametersJsonSchema: { type: 'object', properties: { city: { type: 'string' } } },
};

/** Defines the flows of a version of Google's SDK. */
export async function describeGoogleGenAi(version: Version): Promise<void> {
  const { packageName, served, models, exceptions } = version;
  const sdk = (await import(packageName)) as typeof Sdk;
  const clientOf = (key: string): Sdk.GoogleGenAI =>
    new sdk.GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: served().url } });

  describe.each(Object.entries(models))(`${packageName} over %s`, (_name, model) => {
    it('gets a reply and pays for it', async () => {
      const { key, bills } = await served().newUser(model);
      const upstream = served().upstreamOf(model);
      upstream.play(() => ({ text: 'Good day' }));
      const reply = await clientOf(key).models.generateContent({ model, contents: 'Where is it?' });
      const { plain, cached, written, output } = upstream.usage;
      expect(reply.text).toBe('Good day');
      expect(reply.usageMetadata).toMatchObject({
        promptTokenCount: plain + cached + written,
        cachedContentTokenCount: cached,
        candidatesTokenCount: output,
      });
      expect(await bills()).toEqual([{ status: 'completed', costNanoUsd: costOf(upstream.usage) }]);
    });

    it('streams calls of tools, and sends their outputs', async () => {
      const { key } = await served().newUser(model);
      const upstream = served().upstreamOf(model);
      upstream.play(callThenReport);
      const config = { tools: [{ functionDeclarations: [TOOL] }] };
      const question: Sdk.Content = { role: 'user', parts: [{ text: 'Where is it?' }] };
      const { models: client } = clientOf(key);
      const stream = await client.generateContentStream({ model, contents: [question], config });
      const parts = [];
      for await (const { candidates } of stream) {
        parts.push(...(candidates?.[0]?.content?.parts ?? []));
      }
      const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
      expect(calls.map(({ args }) => args)).toEqual([{ city: 'Rome' }, { city: 'Paris' }]);
      const outputs = calls.map(({ id = '', name = '' }) => ({
        functionResponse: { id, name, response: { output: `of ${id}` } },
      }));
      const contents: Sdk.Content[] = [
        question,
        { role: 'model', parts },
        { role: 'user', parts: outputs },
      ];
      const reply = await client.generateContent({ model, contents, config });
      expect(reply.text).toBe('All is done.');
      const { outputs: seen, proofs } = upstream.requests.at(-1) ?? {};
      expect(seen).toEqual([
        { callId: 'c1', text: 'of c1', pictures: 0 },
        { callId: 'c2', text: 'of c2', pictures: 0 },
      ]);
      if (upstream.keepsProofs) expect(proofs).toEqual([THOUGHT.proof]);
    });

    it('asks for structured output', async () => {
      const { key } = await served().newUser(model);
      const upstream = served().upstreamOf(model);
      upstream.play(() => ({ text: CITY_TEXT }));
      const config = { responseMimeType: 'application/json', responseJsonSchema: CITY_SCHEMA };
      const chat = clientOf(key).chats.create({ model, config });
      const { text = '' } = await chat.sendMessage({ message: 'Where is it?' });
      expect(JSON.parse(text)).toEqual(CITY);
      expect(JSON.stringify(upstream.requests.at(-1)?.body)).toContain('"people"');
    });

    it('counts tokens and finds models, at no charge', async () => {
      const { key, bills } = await served().newUser(model);
      const { models: client } = clientOf(key);
      const { totalTokens } = await client.countTokens({ model, contents: 'Where is it?' });
      expect(totalTokens).toBeGreaterThan(2);
      const names: string[] = [];
      for await (const { name = '' } of await client.list()) names.push(name);
      expect(names).toEqual([`models/${model}`]);
      expect(await client.get({ model })).toMatchObject({ name: `models/${model}` });
      expect(await bills()).toEqual([]);
    });
  });

  describe(packageName, () => {
    const [publicId = ''] = Object.values(models);
    describeExceptions({
      served,
      publicId,
      exceptions,
      ask: async ({ key, model }) => {
        const { models: client } = clientOf(key);
        return (await client.generateContent({ model, contents: 'Where is it?' })).text ?? '';
      },
    });
  });
}
