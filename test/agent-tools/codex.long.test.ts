import { USUAL } from './support/describe-failures.ts';
import { CODEX, startCodex, startCodexOverWebSocket } from './support/codex.ts';
import { describeTool } from './support/describe-tool.ts';
import { fetchTool } from './support/fetch-tool.ts';
import {
  OVER_ANTHROPIC,
  OVER_CHAT,
  OVER_GEMINI,
  OVER_RESPONSES,
} from './support/models-for-sale.ts';

const tool = await fetchTool(CODEX);

describeTool('Codex', {
  tool,
  starts: {
    Responses: startCodex,
    'Responses over WebSocket': startCodexOverWebSocket,
  },
  models: [OVER_RESPONSES, OVER_CHAT, OVER_ANTHROPIC, OVER_GEMINI],
  shell: 'exec_command',
  shellInput: (command) => ({ cmd: command }),
  // Codex shows words of its own, whatever the message is.
  reactions: {
    Responses: {
      ...USUAL,
      noMoney: [{ 429: 1 }, /Quota exceeded/],
      // Its own number of tries, also at OpenAI.
      unknownKey: [{ 401: 6 }, /key is too short/],
      overflow: [{ 400: 1 }, /ran out of room in the model's context window/],
    },
    'Responses over WebSocket': {
      ...USUAL,
      noMoney: [{ 429: 1 }, /does not cover this request/],
      // The upgrade is refused, and Codex goes on over HTTP.
      unknownKey: [{ 401: 6, 426: 1 }, /key is too short/],
      overflow: [{ 400: 1 }, /ran out of room in the model's context window/],
    },
  },
});
