/** OpenAI's and Groq's names, and those of servers that people run themselves. */
const TRANSCRIBES = /whisper|transcri(?:be|ption)|\basr\b/i;

/** Reports whether a model turns speech into text, by its name: the catalog does not say so. */
export function transcribes(model: string): boolean {
  return TRANSCRIBES.test(model);
}
