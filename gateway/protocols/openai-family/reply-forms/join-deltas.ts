import { isOwnJsonObject, type OwnJsonObject } from '../../../platform/json/json-value.ts';

/** Members that name something: what comes later takes their place. */
const NAMES: ReadonlySet<string> = new Set(['id', 'type', 'role', 'format', 'object', 'model']);

/** Adds what is new to what came before, as the official SDKs do: strings and lists grow. */
export function joinDeltas(joined: OwnJsonObject, delta: OwnJsonObject): void {
  for (const [name, value] of Object.entries(delta)) {
    if (value === null || value === undefined) joined[name] ??= null;
    else joined[name] = name === 'index' || NAMES.has(name) ? value : join(joined[name], value);
  }
}

function join(known: unknown, later: unknown): unknown {
  if (typeof known === 'string' && typeof later === 'string') return known + later;
  if (Array.isArray(known) && Array.isArray(later)) return joinLists(known, later);
  if (isOwnJsonObject(known) && isOwnJsonObject(later)) {
    joinDeltas(known, later);
    return known;
  }
  // Images in a content that began as text.
  if (typeof known === 'string' && known !== '' && Array.isArray(later)) {
    return [{ type: 'text', text: known }, ...(later as unknown[])];
  }
  return later;
}

/** Elements with an index are pieces of one. */
function joinLists(known: unknown[], later: readonly unknown[]): unknown[] {
  for (const element of later) {
    const same = known.find((other) => isPieceOf(element, other));
    if (isOwnJsonObject(same) && isOwnJsonObject(element)) joinDeltas(same, element);
    else known.push(element);
  }
  return known;
}

function isPieceOf(element: unknown, other: unknown): boolean {
  if (!isOwnJsonObject(element) || !isOwnJsonObject(other)) return false;
  const { index, type } = element;
  return (
    typeof index === 'number' &&
    index === other['index'] &&
    (type === undefined || type === other['type'])
  );
}
