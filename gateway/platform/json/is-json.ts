import { Skimmer } from './skimmer.ts';

/** What is nested deeper is parsed. */
const LEVELS = 128;

/** Whether bytes are JSON, without building what they spell. */
export function isJson(bytes: Buffer): boolean {
  const skimmer = new Skimmer(bytes);
  const end = skimmer.value(skimmer.whiteSpace(0), LEVELS);
  return (end !== -1 && skimmer.whiteSpace(end) === bytes.length) || parses(bytes);
}

function parses(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
