/** Refusals of messages that agents send now and then, and that most vendors take. */
import { says } from '../checks.ts';
import { isObject, items, text, valueAt, type Rule } from '../rule.ts';

function isObjectText(value: unknown): boolean {
  try {
    return isObject(JSON.parse(text(value)));
  } catch {
    return false;
  }
}

/** Calls that were cut off stay in a conversation. */
export function argumentsAreJson(source: string, message: string): Rule {
  return says('arguments', source, ({ messages }) => {
    const calls = items(messages).flatMap(([, one]) => items(one['tool_calls']));
    const areObjects = calls.every(([, call]) => isObjectText(valueAt(call, 'function.arguments')));
    return areObjects ? undefined : message;
  });
}

export function hasUser(source: string, message: string): Rule {
  return says('user', source, ({ messages }) =>
    items(messages).some(([, { role }]) => role === 'user') ? undefined : message,
  );
}

export function noEmptyContent(source: string, message: string): Rule {
  return says('content', source, ({ messages }) =>
    items(messages).some(([, { content }]) => content === '') ? message : undefined,
  );
}
