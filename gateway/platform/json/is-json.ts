import { Skimmer } from './skimmer.ts';
import { utf8Text } from './utf8-text.ts';

/** Depth of nesting; deeper values are parsed. */
const LEVELS = 128;

/** Reports whether bytes are JSON, without building the value. */
export function isJson(bytes: Buffer): boolean {
  const skimmer = new Skimmer(bytes);
  const end = skimmer.value(skimmer.whiteSpace(0), LEVELS);
  return (end !== -1 && skimmer.whiteSpace(end) === bytes.length) || parses(bytes);
}

function parses(bytes: Buffer): boolean {
  try {
    JSON.parse(utf8Text(bytes));
    return true;
  } catch {
    return false;
  }
}
