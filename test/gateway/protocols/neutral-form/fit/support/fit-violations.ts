import type {
  NeutralMessage,
  NeutralRequest,
  UserPart,
} from '../../../../../../gateway/protocols/neutral-form/request.ts';
import type {
  NameRule,
  TargetProfile,
} from '../../../../../../gateway/protocols/target-profile.ts';

/** Returns what a target with this profile refuses of a request; shares no code with the fit. */
export function fitViolations(request: NeutralRequest, profile: TargetProfile): string[] {
  return [
    ...toolViolations(request, profile),
    ...callViolations(request.messages, profile.callId),
    ...formatViolations(request, profile),
    ...mediaViolations(request.messages, profile),
    ...orderViolations(request.messages, profile),
  ];
}

function obeys(name: string, rule: NameRule): boolean {
  const inClass = (letter: string, letters: string) => new RegExp(`[${letters}]`).test(letter);
  const { length } = name;
  if (length > rule.charactersMax || length < (rule.charactersMin ?? 1)) return false;
  if (!inClass(name.charAt(0), rule.firstLetters ?? rule.letters)) return false;
  return name.split('').every((letter) => inClass(letter, rule.letters));
}

function toolViolations(request: NeutralRequest, profile: TargetProfile): string[] {
  const { tools, toolChoice, messages } = request;
  const offered = tools.map(({ name }) => name);
  const chosen = toolChoice?.mode === 'tool' ? [toolChoice.name] : [];
  const among = toolChoice !== undefined && 'among' in toolChoice ? toolChoice.among : [];
  const said: string[] = [];
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === 'tool_call') said.push(part.name);
      if (part.type === 'tool_result' && part.name !== undefined) said.push(part.name);
    }
  }
  return [
    ...(tools.length > profile.toolsMax ? ['too many tools'] : []),
    ...[...offered, ...chosen, ...among, ...said]
      .filter((name) => !obeys(name, profile.toolName))
      .map((name) => `name ${name}`),
    ...[...chosen, ...among]
      .filter((name) => !offered.includes(name))
      .map((name) => `chosen tool ${name} is not offered`),
    ...(new Set(offered).size < offered.length ? ['two tools of one name'] : []),
  ];
}

function callViolations(messages: readonly NeutralMessage[], rule: NameRule): string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  messages.forEach((message, index) => {
    const calls = message.parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []));
    const next = messages[index + 1];
    const answered = next?.role === 'tool' ? next.parts.map((part) => part.callId).toSorted() : [];
    if (calls.length > 0 && calls.toSorted().join(' ') !== answered.join(' ')) {
      found.push(`calls ${calls.join(' ')} have the results ${answered.join(' ')}`);
    }
    const before = messages[index - 1]?.parts.some(({ type }) => type === 'tool_call');
    if (message.role === 'tool' && before !== true) found.push('results of nothing');
    for (const id of calls) {
      if (!obeys(id, rule)) found.push(`id ${id}`);
      if (seen.has(id)) found.push(`id ${id} comes again`);
      seen.add(id);
    }
  });
  return found;
}

function formatViolations({ format, tools }: NeutralRequest, profile: TargetProfile): string[] {
  if (format === undefined) return [];
  if (tools.length > 0 && !profile.formatWithTools) return ['format and tools'];
  return (format.type === 'json' ? profile.jsonObject : profile.jsonSchema).startsWith('format')
    ? []
    : [`format ${format.type}`];
}

function mediaViolations(messages: readonly NeutralMessage[], { media }: TargetProfile): string[] {
  return messages.flatMap((message) => {
    if (message.role === 'user') return message.parts.flatMap((part) => unread(part, media));
    if (message.role !== 'tool') return [];
    const content = message.parts.flatMap((part) => [...part.content]);
    const shown = content.some(({ type }) => type !== 'text') && !media.toolResultImages;
    return [
      ...(shown ? ['media in a result'] : []),
      ...content.flatMap((part) => unread(part, media)),
    ];
  });
}

function unread(part: UserPart, media: TargetProfile['media']): string[] {
  if (part.type === 'text') return [];
  if (part.type === 'audio') return media.audio ? [] : ['audio'];
  const { source } = part;
  if ('text' in source) return [];
  if ('url' in source) {
    const taken = part.type === 'image' ? media.imageAddresses : media.pdfAddresses;
    return taken && source.url !== '' ? [] : [`address of ${part.type}`];
  }
  const taken = part.type === 'image' ? media.imageTypes.has(source.mediaType) : media.pdf;
  return taken ? [] : [`type ${source.mediaType}`];
}

function orderViolations(
  messages: readonly NeutralMessage[],
  { conversation: rules }: TargetProfile,
): string[] {
  const found: string[] = [];
  const roles = messages.map(({ role }) => role);
  const after = roles.slice(roles.findIndex((role) => role !== 'system'));
  const leading = roles.length - after.length;
  const onlySystem = roles.every((role) => role === 'system');
  if (!onlySystem && rules.systemMessages !== 'anywhere' && after.includes('system')) {
    found.push('late system message');
  }
  if (rules.systemMessages === 'one_leading' && (onlySystem ? roles.length : leading) > 1) {
    found.push('several system messages');
  }
  if (rules.startsWithUser && after[0] !== 'user' && after[0] !== 'system') {
    found.push(`begins with ${String(after[0])}`);
  }
  roles.forEach((role, index) => {
    const before = roles[index - 1];
    const freed = role === 'user' || role === 'system';
    if (rules.assistantBehindResults && before === 'tool' && freed) found.push('user behind tool');
    const twice = before === role && (role === 'user' || role === 'assistant');
    if (rules.strictAlternation && twice) found.push(`two of ${role}`);
  });
  for (const message of messages) {
    if (message.parts.every((part) => part.type === 'text' && part.text.trim() === '')) {
      found.push('blank message');
    }
    if (message.role !== 'assistant') continue;
    const thought = message.parts.some((part) => part.type === 'reasoning' && part.text !== '');
    const calls = message.parts.some(({ type }) => type === 'tool_call');
    if (rules.reasoningText === 'required' && calls && !thought) found.push('no reasoning');
    if (rules.reasoningText === 'refused' && thought) found.push('reasoning');
  }
  const last = messages.at(-1);
  const end = last?.parts.at(-1);
  if (messages.length === 0) found.push('no messages');
  if (last?.role === 'assistant' && rules.lastAssistant === 'refused') found.push('prefill');
  const thoughts =
    last?.role === 'assistant' && last.parts.every(({ type }) => type === 'reasoning');
  if (thoughts && rules.lastAssistant !== 'accepted') found.push('ends with thoughts');
  const spaced = end?.type === 'text' && /\s$/.test(end.text);
  if (last?.role === 'assistant' && rules.lastAssistant !== 'accepted' && spaced) {
    if (rules.lastAssistant === 'without_trailing_space') found.push('trailing space');
  }
  return found;
}
