import { isRefusal } from '../../gateway/platform/errors/refusal.ts';
import { encodeRequest } from '../../gateway/protocols/anthropic-messages/to-upstream/encode-request.ts';
import { neutralForm } from '../../gateway/protocols/anthropic-messages/neutral-form.ts';
import { parseRequest } from '../../gateway/protocols/anthropic-messages/from-client/parse-request.ts';
import { neutralForm as chat } from '../../gateway/protocols/openai-chat/neutral-form.ts';
import { REQUEST_LIMITS } from '../../gateway/protocols/protocol.ts';
import { messagesTarget } from '../../test/support/clients/messages-request.ts';
import { recordedExchanges } from '../../test/support/clients/recorded-client.ts';
import { measure } from './measure.ts';

const CALLS = 300;

/** Measures a request of Claude Code on its way: parsed, renamed, translated. */
for (const { name, body, head } of recordedExchanges('messages')) {
  if (!/^(?:claude-code|pi-messages)\//.test(name)) continue;
  const label = `${name} (${body.length} bytes)`;
  measure(`JSON.parse alone, ${label}`, CALLS, () => JSON.parse(body.toString('utf8')));
  measure('parse and validate', CALLS, () => parseRequest(body, head, REQUEST_LIMITS));
  const request = parseRequest(body, head, REQUEST_LIMITS);
  if (isRefusal(request)) throw new Error(request.message);
  const target = messagesTarget();
  measure('build, renamed', CALLS, () => encodeRequest(request, target));
  measure('build, translated to chat completions', CALLS, () => {
    const neutral = neutralForm.readRequest(request);
    if (isRefusal(neutral)) throw new Error(neutral.message);
    return Buffer.from(JSON.stringify(chat.writeRequest(neutral, target)));
  });
}
