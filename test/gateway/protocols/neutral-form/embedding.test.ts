import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import {
  LEFT_OUT_FIELDS as LEFT_OUT_BY_GEMINI,
  embedding as gemini,
} from '../../../../gateway/protocols/gemini/embedding.ts';
import {
  embedding as openai,
  LEFT_OUT_FIELDS as LEFT_OUT_BY_OPENAI,
  NUMBER_FIELDS,
} from '../../../../gateway/protocols/openai-embeddings/embedding.ts';
import { EMBEDDING_FIELDS } from '../../../../gateway/protocols/openai-family/known-fields.ts';
import { REQUEST_LIMITS, type ParsedRequest } from '../../../../gateway/protocols/protocol.ts';
import { codecsFor, ENDPOINTS } from '../../../../gateway/protocols/registry.ts';
import { Chance, mutate } from '../../data-plane/relay/support/mutate.ts';
import { targetOf } from '../../../support/upstreams/target.ts';

const MODEL = 'embedder';

function endpointOf(path: string) {
  const endpoint = ENDPOINTS.find((one) => one.path.endsWith(path));
  if (endpoint === undefined) throw new Error(`no endpoint ${path}`);
  return endpoint;
}

function parse(path: string, body: object): ParsedRequest {
  const endpoint = endpointOf(path);
  const head = { endpoint, pathModel: MODEL, query: '', headers: {} };
  const request = endpoint.protocol.parse(Buffer.from(JSON.stringify(body)), head, REQUEST_LIMITS);
  if (isRefusal(request)) throw new Error(request.message);
  return request;
}

/** The body that an upstream of another protocol gets, or the refusal's field. */
function sent(path: string, upstream: 'gemini' | 'openai-embeddings', body: object): unknown {
  const encoded = codecsFor(endpointOf(path), [upstream])[0]?.encode(parse(path, body), targetOf());
  if (encoded === undefined) throw new Error(`no way from ${path} to ${upstream}`);
  return isRefusal(encoded) ? encoded.param : JSON.parse(encoded.body.toString());
}

describe('embeddings in the neutral form', () => {
  const OPENAI = { model: MODEL, input: ['Hello', 'World'] };
  const ASKED = { content: { parts: [{ text: 'Hello' }] } };

  it('leave out what is mere advice, and nothing else that is known', () => {
    const plain = sent('embeddings', 'gemini', OPENAI);
    for (const name of LEFT_OUT_BY_OPENAI) {
      const value = name === 'stream' ? false : 'advice';
      expect(sent('embeddings', 'gemini', { ...OPENAI, [name]: value })).toEqual(plain);
    }
    for (const name of LEFT_OUT_BY_GEMINI) {
      expect(sent(':embedContent', 'openai-embeddings', { ...ASKED, [name]: 'advice' })).toEqual(
        sent(':embedContent', 'openai-embeddings', ASKED),
      );
    }
    const actedOn = 'model input encoding_format dimensions output_dimension';
    expect(
      [
        ...actedOn.split(' '),
        'dense_embedding_dimension',
        ...LEFT_OUT_BY_OPENAI,
        ...NUMBER_FIELDS.keys(),
      ].toSorted(),
    ).toEqual([...EMBEDDING_FIELDS.keys()].toSorted());
  });

  it.each(['dimensions', 'output_dimension', 'dense_embedding_dimension'])(
    'have the length that is asked for as %s',
    (name) => {
      expect(sent('embeddings', 'gemini', { ...OPENAI, [name]: 8 })).toMatchObject({
        requests: [{ outputDimensionality: 8 }, { outputDimensionality: 8 }],
      });
    },
  );

  it.each([...NUMBER_FIELDS])('refuse %s but for %s', (name, floats) => {
    expect(sent('embeddings', 'gemini', { ...OPENAI, [name]: 'binary' })).toBe(name);
    expect(sent('embeddings', 'gemini', { ...OPENAI, [name]: [floats] })).toBeTypeOf('object');
  });

  it('leave out what a channel’s upstream refuses', () => {
    const write = (name: string, form: typeof gemini | typeof openai): string =>
      JSON.stringify(
        form.writeRequest({ inputs: ['Hi'], dimensions: 8 }, targetOf({ omittedFields: [name] })),
      );
    expect(write('outputDimensionality', gemini)).not.toContain('8');
    expect(write('dimensions', openai)).not.toContain('8');
  });

  it.each([
    ['embeddings', 'gemini', OPENAI],
    [':batchEmbedContents', 'openai-embeddings', { requests: [ASKED, ASKED] }],
  ] as const)(
    'of broken replies to %s are as many as were asked for, or none',
    (path, upstream, body) => {
      const request = parse(path, body);
      const codec = codecsFor(endpointOf(path), [upstream])[0];
      const item = (index: number) => ({ object: 'embedding', index, embedding: [0.5, index] });
      const replies = {
        gemini: {
          embeddings: [{ values: [0.5, 0] }, { values: [0.5, 1] }],
          usageMetadata: { promptTokenCount: 4 },
        },
        'openai-embeddings': {
          object: 'list',
          data: [item(1), item(0)],
          usage: { prompt_tokens: 4, total_tokens: 4 },
        },
      };
      const whole = JSON.stringify(replies[upstream]);
      const decode = (text: string) =>
        codec?.decode(Buffer.from(text), request, () => undefined)?.bytes.toString();
      const vectorsIn = (text: string) => text.match(/"(?:values|embedding)":\[/g)?.length;
      expect(vectorsIn(decode(whole) ?? '')).toBe(2);
      for (let number = 0; number < 500; number += 1) {
        const chance = new Chance(number);
        const read = decode(mutate(whole, chance));
        if (read !== undefined) expect([number, vectorsIn(read)]).toEqual([number, 2]);
      }
    },
  );
});
