import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resolvePath } from '../../../gateway/data-plane/paths/resolve-path.ts';

function refused(method: string, path: string): { code: string; message: string; allow?: string } {
  const resolved = resolvePath(method, path);
  if (resolved.route !== 'refused') throw new Error(`it was resolved as ${resolved.route}`);
  const { refusal, allow } = resolved;
  return {
    code: refusal.refused,
    message: refusal.message,
    ...(allow === undefined ? {} : { allow }),
  };
}

describe('resolvePath', () => {
  it.each([
    '/v1/chat/completions',
    '/chat/completions',
    '/v1/chat/completions/',
    '/v1//chat/completions',
    '//v1/chat///completions//',
    '/v1%20/chat/completions',
    '/v1/chat/completions%20',
    '/%20v1%0A/chat/completions',
    '/v1/v1/chat/completions',
    '/v1/v1/v1/chat/completions',
    '/api/v1/chat/completions',
    '/api/chat/completions',
    '/openai/v1/chat/completions',
    '/openai/chat/completions',
    '/v1beta/openai/chat/completions',
    '/V1/Chat/Completions',
    '/openai/deployments/gpt-4o/chat/completions',
  ])('serves chat completions at %s', (path) => {
    expect(resolvePath('POST', path)).toMatchObject({
      route: 'endpoint',
      endpoint: { path: 'chat/completions' },
    });
  });

  it.each(['/v1/responses', '/responses', '/v1/v1/responses', '/openai/v1/responses/'])(
    'serves Responses at %s',
    (path) => {
      expect(resolvePath('POST', path)).toMatchObject({ endpoint: { path: 'responses' } });
      expect(refused('GET', path)).toMatchObject({ code: 'method_not_supported' });
    },
  );

  it('counts the tokens of Responses, and compacts conversations', () => {
    const counted = resolvePath('POST', '/v1/responses/input_tokens');
    expect(counted).toMatchObject({ endpoint: { operation: 'count' } });
    const compacted = resolvePath('POST', '/v1/responses/compact');
    expect(compacted).toMatchObject({ endpoint: { operation: 'compact' } });
    expect(refused('GET', '/v1/responses/compact').code).toBe('method_not_supported');
  });

  it.each([
    ['GET', '/v1/responses/resp_Ab', ''],
    ['GET', '/responses/resp_Ab/', ''],
    ['DELETE', '/openai/v1/responses/resp_Ab', ''],
    ['POST', '/v1/responses/resp_Ab/cancel', '/cancel'],
    ['GET', '/v1/v1/responses/resp_Ab/input_items', '/input_items'],
  ])('finds the stored response of %s %s', (method, path, behind) => {
    expect(resolvePath(method, path)).toMatchObject({
      endpoint: { method, path: `responses/{id}${behind}`, operation: 'stored', kind: 'reply' },
      ids: ['resp_Ab'],
    });
    expect(refused('PATCH', path).code).toBe('method_not_supported');
  });

  it.each([
    ['POST', '/v1/conversations', '', []],
    ['GET', '/conversations/conv_Ab', '/{id}', ['conv_Ab']],
    ['POST', '/openai/v1/conversations/conv_Ab/', '/{id}', ['conv_Ab']],
    ['DELETE', '/v1/Conversations/conv_Ab', '/{id}', ['conv_Ab']],
    ['GET', '/v1/conversations/conv_Ab/items', '/{id}/items', ['conv_Ab']],
    ['POST', '/v1/conversations/conv_Ab/items', '/{id}/items', ['conv_Ab']],
    ['GET', '/v1/conversations/conv_Ab/items/msg_Cd', '/{id}/items/{item}', ['conv_Ab', 'msg_Cd']],
    ['DELETE', '/v1/conversations/conv_Ab/items/m', '/{id}/items/{item}', ['conv_Ab', 'm']],
  ])('finds the conversation of %s %s', (method, path, behind, ids) => {
    expect(resolvePath(method, path)).toMatchObject({
      endpoint: { method, path: `conversations${behind}`, kind: 'conversation' },
      ids,
    });
    expect(refused('PATCH', path).code).toBe('method_not_supported');
  });

  it.each([
    ['/v1/completions', 'completions'],
    ['/completions', 'completions'],
    ['/openai/deployments/davinci/completions', 'completions'],
    ['/v1/embeddings', 'embeddings'],
    ['/openai/v1/embeddings/', 'embeddings'],
  ])('serves %s', (path, endpoint) => {
    expect(resolvePath('POST', path)).toMatchObject({
      route: 'endpoint',
      endpoint: { path: endpoint },
    });
  });

  it.each([
    ['/v1beta/models/gemini-2.5-pro:generateContent', 'generateContent', 'gemini-2.5-pro'],
    ['/v1/models/gemini-2.5-pro:generateContent', 'generateContent', 'gemini-2.5-pro'],
    ['/v1alpha/models/m:streamGenerateContent', 'streamGenerateContent', 'm'],
    ['/v1beta/v1/models/m:streamGenerateContent', 'streamGenerateContent', 'm'],
    ['/v1beta/v1beta/models/m:countTokens', 'countTokens', 'm'],
    ['/models/m:generateContent', 'generateContent', 'm'],
    ['/v1beta/models/org/model:free:countTokens', 'countTokens', 'org/model:free'],
    ['/v1beta/models/org%2Fmodel%3AgenerateContent', 'generateContent', 'org/model'],
    ['/V1BETA/Models/Model-With-Case:GenerateContent', 'generateContent', 'Model-With-Case'],
  ])('serves Gemini at %s', (path, verb, pathModel) => {
    expect(resolvePath('POST', path)).toMatchObject({
      route: 'endpoint',
      endpoint: { path: `models/{model}:${verb}` },
      pathModel,
    });
  });

  it.each([
    ['/model/us.anthropic.m-v1:0/invoke', 'model/{model}/invoke', 'us.anthropic.m-v1:0'],
    ['/model/us.anthropic.m-v1%3A0/invoke', 'model/{model}/invoke', 'us.anthropic.m-v1:0'],
    ['/bedrock//model/m/invoke', 'model/{model}/invoke', 'm'],
    [
      '/model/arn:aws:bedrock:us-east-1:1:inference-profile%2Fus.m/invoke-with-response-stream',
      'model/{model}/invoke-with-response-stream',
      'arn:aws:bedrock:us-east-1:1:inference-profile/us.m',
    ],
    ['/anthropic/v1/messages', 'anthropic/v1/messages', null],
    ['/anthropic/v1/messages/count_tokens', 'anthropic/v1/messages/count_tokens', null],
    ['/bedrock/v1/messages', 'messages', null],
    ...['', '/v1', '/vertex_ai/v1', '/v1/projects/p/locations/us-east5'].flatMap((base) => [
      [
        `${base}/publishers/anthropic/models/m@20250929:rawPredict`,
        'publishers/anthropic/models/{model}:rawPredict',
        'm@20250929',
      ],
      [
        `${base}/publishers/anthropic/models/count-tokens:rawPredict`,
        'publishers/anthropic/models/count-tokens:rawPredict',
        null,
      ],
    ]),
    ...[
      '/v1beta1',
      '/v1beta1/projects/p/locations/global',
      '/v1beta1/projects/locations',
      '/projects/p/locations/l',
    ].map((base) => [
      `${base}/publishers/google/models/m:streamGenerateContent`,
      'models/{model}:streamGenerateContent',
      'm',
    ]),
    ['/v1/projects/p/locations/l/endpoints/openapi/chat/completions', 'chat/completions', null],
  ])('serves clients of clouds at %s', (path, endpoint, pathModel) => {
    expect(resolvePath('POST', path ?? '')).toMatchObject({
      route: 'endpoint',
      endpoint: { path: endpoint },
      pathModel,
    });
  });

  it.each(['/inference-profiles', '/model/m/converse', '/projects', '/projects/p/locations/l'])(
    'serves nothing at %s',
    (path) => {
      expect(refused('GET', path).code).toBe('unknown_url');
    },
  );

  it('never generates where tokens are to be counted (new-api #7283)', () => {
    expect(resolvePath('POST', '/v1beta/models/m:countTokens')).toMatchObject({
      endpoint: { operation: 'count' },
    });
  });

  it.each([
    '/v1/models',
    '/models',
    '/v1/models/',
    '/v1//models',
    '/v1%20/models',
    '/v1/v1/models',
    '/api/v1/models',
    '/openai/v1/models',
    '/v1beta/openai/models',
    '/v1beta/models',
    '/v1alpha/models',
  ])('lists models at %s', (path) => {
    for (const method of ['GET', 'HEAD']) {
      expect(resolvePath(method, path)).toMatchObject({ endpoint: { operation: 'list' } });
    }
  });

  it.each([
    ['/v1/models/gpt-4o', 'gpt-4o'],
    ['/models/gpt-4o', 'gpt-4o'],
    ['/v1/models/gpt-4o/', 'gpt-4o'],
    ['/v1/models/org/model', 'org/model'],
    ['/v1/models/org%2Fmodel%3Afree', 'org/model:free'],
    ['/v1/models/org%2fmodel', 'org/model'],
    ['/v1/models/Model-With-Case', 'Model-With-Case'],
    ['/v1/models/a/b/c', 'a/b/c'],
    ['/v1/models/%E6%A8%A1%E5%9E%8B', '模型'],
    ['/v1/models/50%', '50%'],
    ['/v1/models/%zz%2F', '%zz%2F'],
    ['/v1/models/%ff', '%ff'],
    ['/v1/models/v1', 'v1'],
    ['/v1/models/models', 'models'],
  ])('finds the model of %s', (path, modelId) => {
    expect(resolvePath('GET', path)).toMatchObject({
      endpoint: { operation: 'show' },
      pathModel: modelId,
    });
  });

  it.each([
    ['/health', 'health'],
    ['/healthz', 'health'],
    ['/ready', 'ready'],
    ['/readyz/', 'ready'],
    ['/', 'root'],
    ['//', 'root'],
    ['/v1', 'root'],
    ['/v1/', 'root'],
    ['/api/v1', 'root'],
    ['/api/hello', 'root'],
  ])('answers the probe %s', (path, route) => {
    expect(resolvePath('GET', path)).toEqual({ route });
    expect(resolvePath('HEAD', path)).toEqual({ route });
  });

  it.each(['/v1/chat/completions', '/chat/completions/', '/v1/messages', '/v1/embeddings'])(
    'tells the victim of a redirect, who sends GET to %s, to use https',
    (path) => {
      const { code, message, allow } = refused('GET', path);
      expect(code).toBe('method_not_supported');
      expect(message).toContain('https://');
      expect(message.includes('no list')).toBe(path.includes('chat'));
      expect(allow).toBe('POST, OPTIONS');
    },
  );

  it.each(['HEAD', 'PUT', 'PATCH', 'DELETE'])(
    'does not blame the base address for %s, which no redirect makes of a POST',
    (method) => {
      for (const path of ['/v1/chat/completions', '/v1/messages', '/v1beta/models/m:countTokens']) {
        const { code, message, allow } = refused(method, path);
        expect(code).toBe('method_not_supported');
        expect(message).toMatch(/created with POST\.$/);
        expect(allow).toBe('POST, OPTIONS');
      }
    },
  );

  it.each([
    ['GET', '/v1/chat/completions/chatcmpl-123', 'not stored'],
    ['POST', '/v1/chat/completions/chatcmpl-123', 'not stored'],
    ['DELETE', '/v1/chat/completions/chatcmpl-123', 'not stored'],
    ['GET', '/v1/chat/completions/chatcmpl-123/messages', 'not stored'],
    ['HEAD', '/openai/v1/chat/completions/chatcmpl-123/messages', 'not stored'],
    ['GET', '/v1/threads/thread_1/messages', 'assistants'],
    ['POST', '/v1/threads/thread_1/messages', 'assistants'],
    ['GET', '/v1/organization/usage/completions', 'organizations'],
    ['GET', '/v1/organization/usage/embeddings', 'organizations'],
    ['POST', '/v1/engines/davinci/completions', 'engines'],
    ['POST', '/v1/conversations/conv_1/responses', 'Conversations have no such path'],
    ['GET', '/v1/responses/resp_1/messages', 'Responses have no such path'],
    ['GET', '/v1/credits', 'console'],
    ['GET', '/v1/generation', 'console'],
    ['POST', '/v1/summarize', 'No such path'],
    ['PUT', '/v1/summarize/x', 'No such path'],
  ])('%s %s is what it is, and no fault of the base address', (method, path, hint) => {
    const { code, message } = refused(method, path);
    expect(code).toBe('unknown_url');
    expect(message).toContain(hint);
    expect(message).not.toMatch(/too much|does not belong/);
  });

  it.each(['/v1/models', '/v1/models/gpt-4o', '/health', '/ready'])(
    'refuses to write to %s and says which methods there are',
    (path) => {
      for (const method of ['POST', 'DELETE']) {
        expect(refused(method, path)).toMatchObject({
          code: 'method_not_supported',
          allow: 'GET, HEAD, OPTIONS',
        });
      }
    },
  );

  it.each([
    '/v1/chat/completions/chat/completions',
    '/chat/completions/chat/completions',
    '/v1/chat/completions/v1/chat/completions',
    '/v1/messages/chat/completions',
    '/v1/messages/v1/messages',
    '/v1/models/chat/completions',
    '/v1/chat/completions/models',
    '/proxy/v1/chat/completions',
    '/v1/chat/completions/embeddings',
  ])('says of %s where the base address ends', (path) => {
    for (const method of ['GET', 'POST']) {
      const { code, message } = refused(method, path);
      expect(code).toBe('unknown_url');
      expect(message).toContain('too much');
      expect(message).toContain('https://<host>/v1 ');
    }
  });

  it.each(['/', '/v1', '/api/v1/'])('tells who posts to %s to name the endpoint', (path) => {
    expect(refused('POST', path)).toMatchObject({
      code: 'unknown_url',
      message: expect.stringContaining('https://<host>/v1/chat/completions') as unknown,
    });
  });

  it.each([
    ['/v1/responses/resp_1/output', 'response'],
    ['/v1/responses/resp_1/input_items/1', 'response'],
    ['/v1/messages/batches', 'batches'],
    ['/v1/audio/voices', 'audio'],
    ['/dashboard/billing/subscription', 'billing'],
    ['/v1beta/models/imagen-4:predict', 'Gemini'],
    ['/v1beta/models/gemini-2.5-pro:batchGenerateContent', 'Gemini'],
    ['/api/chat', 'Ollama'],
    ['/api/tags', 'Ollama'],
    ['/v1/chat/completions/chatcmpl-123', 'not stored'],
    ['/v1/chat/completion', '/v1/chat/completions'],
    ['/v1/chat', '/v1/chat/completions'],
    ['/proxy/v1/models', 'does not belong'],
    ['/proxy/models', 'does not belong'],
    ['/v1/conversations/conv_1/other', 'Conversations have no such path'],
    ['/favicon.ico', 'No such path'],
    ['/%', 'No such path'],
    ['/../../etc/passwd', 'No such path'],
  ])('says of %s what it is and what is served', (path, hint) => {
    for (const method of ['GET', 'POST']) {
      const { code, message, allow } = refused(method, path);
      expect(code).toBe('unknown_url');
      expect(message).toContain(hint);
      expect(message).toContain('/v1');
      expect(allow).toBeUndefined();
    }
  });

  it('answers every method and path', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'v1',
        'v1beta',
        'openai',
        'api',
        'deployments',
        'chat',
        'completions',
        'models',
        '',
        '%',
        '%20',
        '%2F',
        '__proto__',
      ),
      fc.string({ unit: 'binary-ascii', maxLength: 6 }),
    );
    const path = fc.array(part, { maxLength: 7 }).map((parts) => `/${parts.join('/')}`);
    fc.assert(
      fc.property(fc.constantFrom('GET', 'POST', 'HEAD', 'PATCH', ''), path, (method, raw) => {
        const resolved = resolvePath(method, raw);
        if (resolved.route !== 'endpoint') return;
        expect(resolved.pathModel).not.toBe('');
        expect(resolved.ids).not.toContain('');
        expect(resolved.endpoint.method).toBe(method === 'HEAD' ? 'GET' : method);
      }),
      { numRuns: 2_000 },
    );
  });
});
