/** Words in the names of such models, of all vendors. */
const TRANSCRIBES = /whisper|transcri(?:be|ption)|\basr\b/i;

/** Reports whether a model turns speech into text, by its name: the catalog does not say so. */
export function transcribes(model: string): boolean {
  return TRANSCRIBES.test(model);
}
