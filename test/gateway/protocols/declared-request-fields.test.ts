import { expect, it } from 'vitest';
import {
  REFUSED_FIELDS,
  WITHHELD_FIELDS,
} from '../../../gateway/protocols/anthropic-messages/from-client/withheld-fields.ts';
import { MESSAGES_FIELDS } from '../../../gateway/protocols/anthropic-messages/from-client/known-fields.ts';
import type { Shape, Shapes } from '../../../gateway/protocols/fields/shape.ts';
import { Declarations } from './support/declared-members.ts';

/** Fields that concern the operator's own account at Anthropic. */
const OF_THE_ACCOUNT = [
  'billing_policy',
  'fallback_credit_token',
  'user_profile_id',
  'workspace_id',
];
/** Members of tools that are refused: advisors, MCP servers. */
const OF_REFUSED_TOOLS = 'model caching max_tokens mcp_server_name default_config tools'.split(' ');

/** Types of the SDK, by the way to them in a request. */
const TYPES = {
  '': 'MessageCreateParamsBase',
  messages: 'BetaMessageParam',
  'messages.output_config': 'BetaSystemMessageOutputConfig',
  thinking: 'BetaThinkingConfigParam',
  output_config: 'BetaOutputConfig',
  'output_config.format': 'BetaJSONOutputFormat',
  context_management: 'BetaContextManagementConfig',
  'context_management.edits': 'BetaCompact20260112Edit',
  tools: 'BetaToolUnion',
};

function shapeAt(path: string): Shapes {
  let shape: Shape | undefined = MESSAGES_FIELDS;
  for (const name of path.split('.').filter(Boolean)) {
    shape = typeof shape === 'object' ? shape.get(name) : undefined;
  }
  if (typeof shape !== 'object') throw new Error(`nothing is listed at ${path}`);
  return shape;
}

it.each(Object.entries(TYPES))(
  'a request of Messages keeps what the SDK declares at "%s"',
  (path, type) => {
    const declared = new Declarations('@anthropic-ai/sdk/resources/beta/messages/messages.d.ts');
    const leftOut = new Set([
      ...(path === '' ? [...WITHHELD_FIELDS, ...REFUSED_FIELDS.keys(), ...OF_THE_ACCOUNT] : []),
      ...(path === 'tools' ? OF_REFUSED_TOOLS : []),
    ]);
    const known = shapeAt(path);
    const lost = [...declared.membersOf(type)].filter((name) => !known.has(name));
    expect(lost.filter((name) => !leftOut.has(name))).toEqual([]);
  },
);
