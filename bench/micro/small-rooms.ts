import { readCredential } from '../../gateway/data-plane/authentication/credential.ts';
import { refuse } from '../../gateway/platform/errors/refusal.ts';
import { resolvePath } from '../../gateway/data-plane/paths/resolve-path.ts';
import { compilePrices } from '../../gateway/pricing/compile-prices.ts';
import { cost, costUpperBound, outputTokensAffordable } from '../../gateway/pricing/cost.ts';
import { renderError } from '../../gateway/protocols/openai-family/render-error.ts';
import { readChatReply } from '../../gateway/protocols/openai-chat/from-upstream/chat-reply.ts';
import { countPrompt } from '../../gateway/protocols/openai-chat/from-client/count-prompt.ts';
import { checkContentType } from '../../gateway/data-plane/http/body/content-type.ts';
import { measure } from './measure.ts';

const CALLS = 100_000;
const USD = 1_000_000_000;

const prices = compilePrices(
  {
    inputNanoUsd: 2.5 * USD,
    cachedInputNanoUsd: 1.25 * USD,
    cacheWriteNanoUsd: 3.125 * USD,
    outputNanoUsd: 10 * USD,
    perCallNanoUsd: 0,
  },
  1_050_000,
);
// Other numbers each time: the compiler must not take the work out of the loop.
let turn = 0;
measure('cost', CALLS, () => {
  turn = (turn + 1) % 1_000;
  return cost(prices, {
    input: 2_000 + turn,
    cachedInput: 1_024,
    cacheWrite: 0,
    output: turn,
    reasoning: 0,
  });
});
measure('costUpperBound', CALLS, () => {
  turn = (turn + 1) % 1_000;
  return costUpperBound(prices, turn, 4_096);
});
measure('outputTokensAffordable', CALLS, () => {
  turn = (turn + 1) % 1_000;
  return outputTokensAffordable(prices, turn, 5 * USD);
});

function source(headers: Readonly<Record<string, string>>): Parameters<typeof readCredential>[0] {
  return { header: (name) => headers[name] ?? '', query: () => '' };
}
const key = `sk-${'aB3'.repeat(14)}z`;
const usual = source({ authorization: `Bearer ${key}` });
const vendor = source({ 'x-api-key': key });
const wrong = source({ authorization: 'Bearer sk-ant-REDACTED' });
measure('credential, Bearer', CALLS, () => readCredential(usual));
measure('credential, x-api-key', CALLS, () => readCredential(vendor));
measure('credential, refused', CALLS, () => readCredential(wrong));

measure('path, usual', CALLS, () => resolvePath('POST', '/v1/chat/completions'));
measure('path, doubled', CALLS, () => resolvePath('POST', '/v1/v1/chat/completions'));
measure('path, unknown', CALLS, () => resolvePath('GET', '/wp-admin/setup.php'));
measure('content type', CALLS, () => checkContentType('application/json'));
measure('content type with charset', CALLS, () =>
  checkContentType('application/json; charset=utf-8'),
);
measure('render error', CALLS, () => renderError(refuse('invalid_api_key'), 'r-1'));

const reply = Buffer.from(
  JSON.stringify({
    id: 'chatcmpl-C1',
    object: 'chat.completion',
    created: 1_755_100_800,
    model: 'gpt-4o-mini-2024-07-18',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Water over stone.', refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 11, completion_tokens: 9, total_tokens: 20 },
  }),
);
measure('read reply, same model', CALLS, () => readChatReply(reply, 'gpt-4o-mini-2024-07-18'));
measure('read reply, renamed', CALLS, () => readChatReply(reply, 'gpt-4o-mini'));

const prompt = 'The weir holds back the river; below it the water is quick and loud. '.repeat(300);
const body = Buffer.from(
  JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: prompt }] }),
);
measure(`count a prompt of ${body.length} bytes, on the pool`, 50, () =>
  Array.from(countPrompt('gpt-4o', body)),
);
