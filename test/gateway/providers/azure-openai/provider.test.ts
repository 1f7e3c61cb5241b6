import { describe, expect, it } from 'vitest';
import { azureOpenai } from '../../../../gateway/providers/azure-openai/provider.ts';

const RESOURCE = 'https://res.openai.azure.com';

/** Azure's reply to a prompt that its filter stops. */
const FILTERED = {
  error: {
    message: 'The response was filtered due to the prompt triggering the content policy.',
    type: null,
    param: 'prompt',
    code: 'content_filter',
    status: 400,
    innererror: { code: 'ResponsibleAIPolicyViolation' },
  },
};

function judge(status: number, body: object) {
  return azureOpenai.classifyError(status, null, Buffer.from(JSON.stringify(body)));
}

describe('a channel of kind azure', () => {
  it.each([
    [RESOURCE, '/openai/v1/chat/completions'],
    [`${RESOURCE}/openai`, '/v1/chat/completions'],
    [`${RESOURCE}/openai/v1`, '/chat/completions'],
  ])('with the base address %s asks at %s', (baseUrl, path) => {
    expect(azureOpenai.path('openai-chat', 'generate', 'my-deployment', baseUrl)).toBe(path);
  });

  it('sends keys in Azure’s header and tokens of Entra ID as bearer', () => {
    expect(azureOpenai.credentialHeaders('abc')).toEqual(['api-key', 'abc']);
    expect(azureOpenai.credentialHeaders('eyJ0')).toEqual(['authorization', 'Bearer eyJ0']);
  });

  it('tells the client of its content filter, and nobody else', () => {
    expect(judge(400, FILTERED)).toMatchObject({
      health: 'unknown',
      failover: false,
      refusal: { refused: 'content_policy_violation' },
    });
  });

  it.each([
    [400, { error: { code: 'OperationNotSupported', message: 'does not work with the model' } }],
    [404, { error: { code: 'DeploymentNotFound', message: 'The deployment does not exist.' } }],
  ])('%i %j is about the deployment on this path', (status, body) => {
    expect(judge(status, body)).toMatchObject({
      health: 'unknown',
      failover: true,
      scope: 'model',
    });
  });

  it('an invalid subscription key is our credential', () => {
    const body = {
      error: { code: '401', message: 'Access denied due to invalid subscription key' },
    };
    expect(judge(401, body)).toMatchObject({ scope: 'credential', failover: true });
  });
});
