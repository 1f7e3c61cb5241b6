import { invalidValue } from '../../../fields/field-faults.ts';
import type { NeutralMessage, NeutralTool, ToolChoice } from '../../request.ts';
import type { Fit } from '../fit-request.ts';
import { isFitting } from './fitted-name.ts';
import { FittedNames } from './fitted-names.ts';
import { mapSame } from '../map-same.ts';

/**
 * Gives tools whose names the target refuses others, wherever a request names them: in its tools,
 * its choice, and the calls and results of the conversation, also of tools that are no longer
 * offered. The reply has the client's names again. A tool that is offered twice is offered once;
 * more tools than the target takes are refused.
 */
export const fitNames: Fit = (request, profile) => {
  const { toolChoice, messages } = request;
  const tools = withoutCopies(request.tools);
  if (tools.length > profile.toolsMax) {
    return invalidValue(
      'tools',
      `The upstream of this model takes at most ${profile.toolsMax} tools, and the request has ${tools.length}. Send fewer.`,
    );
  }
  const given = [
    ...tools.map(({ name }) => name),
    ...chosenNames(toolChoice),
    ...namesIn(messages),
  ];
  if (given.every((name) => isFitting(name, profile.toolName))) {
    return { request: tools === request.tools ? request : { ...request, tools } };
  }
  const names = new FittedNames(profile.toolName, given, 'tool');
  // No client has a tool without a name.
  const toolNames = new Map([...names.own].filter(([, name]) => name !== ''));
  const fitted = {
    ...request,
    tools: mapSame(tools, (tool) => renamed(tool, names)),
    messages: mapSame(messages, (message) => renamedIn(message, names)),
    ...(toolChoice === undefined ? {} : { toolChoice: renamedChoice(toolChoice, names) }),
  };
  return { request: fitted, restoration: { toolNames } };
};

/** The tools without those that are offered twice, which vendors refuse. */
function withoutCopies(tools: readonly NeutralTool[]): readonly NeutralTool[] {
  if (new Set(tools.map(({ name }) => name)).size === tools.length) return tools;
  const seen = new Set<string>();
  const distinct = tools.filter((tool) => {
    const text = JSON.stringify(tool);
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  });
  return distinct.length === tools.length ? tools : distinct;
}

function chosenNames(choice: ToolChoice | undefined): readonly string[] {
  if (choice?.mode === 'tool') return [choice.name];
  return choice !== undefined && 'among' in choice ? choice.among : [];
}

/** The names of all calls and results of a conversation. */
function namesIn(messages: readonly NeutralMessage[]): string[] {
  const names: string[] = [];
  for (const { role, parts } of messages) {
    if (role !== 'assistant' && role !== 'tool') continue;
    for (const part of parts) {
      if (part.type === 'tool_call') names.push(part.name);
      else if (part.type === 'tool_result' && part.name !== undefined) names.push(part.name);
    }
  }
  return names;
}

function renamed<Named extends { readonly name: string }>(named: Named, names: FittedNames): Named {
  const name = names.of(named.name);
  return name === named.name ? named : { ...named, name };
}

function renamedIn(message: NeutralMessage, names: FittedNames): NeutralMessage {
  switch (message.role) {
    case 'system':
    case 'user':
      return message;
    case 'assistant': {
      const parts = mapSame(message.parts, (part) =>
        part.type === 'tool_call' ? renamed(part, names) : part,
      );
      return parts === message.parts ? message : { role: 'assistant', parts };
    }
    case 'tool': {
      const parts = mapSame(message.parts, (part) => {
        const name = part.name === undefined ? undefined : names.of(part.name);
        return name === part.name || name === undefined ? part : { ...part, name };
      });
      return parts === message.parts ? message : { role: 'tool', parts };
    }
  }
}

function renamedChoice(choice: ToolChoice, names: FittedNames): ToolChoice {
  if (choice.mode === 'tool') return renamed(choice, names);
  if (!('among' in choice)) return choice;
  const among = mapSame(choice.among, (name) => names.of(name));
  return among === choice.among ? choice : { ...choice, among };
}
