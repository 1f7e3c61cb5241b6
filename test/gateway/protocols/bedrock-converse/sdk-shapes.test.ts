/** Requests have nothing that AWS's own SDK does not know, because it would leave that out. */
import {
  BedrockRuntimeClient,
  ConverseCommand,
  type ConverseCommandInput,
} from '@aws-sdk/client-bedrock-runtime';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import {
  refusalOf,
  STRICT_ROWS,
} from '../../../support/upstreams/strict-upstream/strict-upstream.ts';
import { anyRequest } from '../neutral-form/fit/support/any-request.ts';
import { bodyOf, CLAUDE, written, type Json } from './support/converse.ts';

const SENT = new Error('the request is written');
let sent: unknown;

/** Keeps the body of a request, and sends nothing. */
const client = new BedrockRuntimeClient({
  region: 'us-east-1',
  credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
  maxAttempts: 1,
  requestHandler: {
    handle: ({ body }: { readonly body: unknown }) => {
      sent = body;
      return Promise.reject(SENT);
    },
  },
});

afterAll(() => {
  client.destroy();
});

const BLOBS: ReadonlySet<string> = new Set(['bytes', 'redactedContent']);

/** The same with bytes where the wire has base64, as programs hand requests to the SDK. */
function withBytes(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return BLOBS.has(name) ? Buffer.from(value, 'base64') : value;
  if (Array.isArray(value)) return value.map((one) => withBytes(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withBytes(one, key)]));
}

/** The body that the SDK makes of the request. */
async function throughSdk(body: Json): Promise<unknown> {
  const input = { modelId: 'm', ...(withBytes(body) as object) } as ConverseCommandInput;
  await expect(client.send(new ConverseCommand(input))).rejects.toBe(SENT);
  return JSON.parse(Buffer.from(sent as Uint8Array).toString());
}

const ROWS = new Map(
  STRICT_ROWS.filter(({ vendor }) => vendor.id === 'bedrock').map((row) => [row.model, row]),
);

/** Sources disagree on whether a Claude 4.6 that thinks can be forced to call a tool. */
function isDisputed(model: string, rule: string | undefined): boolean {
  return model.includes('opus-4-6') && rule === 'tool_choice';
}

describe('AWS’s own SDK', () => {
  it('writes the same request with every member', async () => {
    const mark = { cache: { ttl: '1h' } } as const;
    const body = bodyOf(
      {
        messages: [
          { role: 'system', parts: [{ type: 'text', text: 'S', ...mark }] },
          {
            role: 'user',
            parts: [
              { type: 'text', text: 'U', ...mark },
              { type: 'image', source: { base64: 'AAAA', mediaType: 'image/png' } },
              { type: 'file', source: { base64: 'AAAA', mediaType: 'application/pdf' }, name: 'f' },
            ],
          },
          {
            role: 'assistant',
            parts: [
              { type: 'reasoning', text: 'T', proof: { of: 'anthropic-messages', value: 'SIG' } },
              {
                type: 'reasoning',
                text: '',
                proof: { of: 'bedrock-converse', value: 'AAAA', redacted: true },
              },
              { type: 'tool_call', id: 'c', name: 'f', input: '{"a":1}', freeForm: false },
            ],
          },
          {
            role: 'tool',
            parts: [
              {
                type: 'tool_result',
                callId: 'c',
                content: [
                  { type: 'text', text: 'R' },
                  { type: 'image', source: { base64: 'AAAA', mediaType: 'image/png' } },
                ],
                isError: true,
              },
            ],
          },
        ],
        tools: [
          { name: 'f', description: 'F', schema: { type: 'object', properties: {} }, ...mark },
        ],
        toolChoice: { mode: 'tool', name: 'f' },
        maxOutputTokens: 9_000,
        temperature: 0.5,
        stop: ['END'],
        format: { type: 'json_schema', schema: { type: 'object', properties: {} } },
      },
      CLAUDE,
      { tier: 'flex' },
    );
    expect(Object.keys(body).toSorted()).toEqual([
      ...['additionalModelResponseFieldPaths', 'inferenceConfig', 'messages', 'outputConfig'],
      ...['serviceTier', 'system', 'toolConfig'],
    ]);
    expect(await throughSdk(body)).toEqual(body);
  });

  it('writes the same of any request, and every family takes it', async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, fc.constantFrom(...ROWS.keys()), async (request, model) => {
        const body = written(request, model);
        if (isRefusal(body)) {
          expect(['messages', 'tools']).toContain(body.param);
          return;
        }
        const json = JSON.parse(JSON.stringify(body)) as Json;
        const row = ROWS.get(model);
        const refusal = row && refusalOf(row, json);
        if (isDisputed(model, refusal?.rule)) return;
        expect(refusal?.body).toBeUndefined();
        expect(await throughSdk(json)).toEqual(json);
      }),
      { numRuns: 300, seed: 50 },
    );
  });
});
