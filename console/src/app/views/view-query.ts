/** Parameters that belong to no view: they open something on the page. */
const NOT_OF_A_VIEW = new Set(['open', 'edit']);

/**
 * The query of a list's address in one form, so that the same filters are the same text: without
 * empty parameters, sorted by name.
 */
export function viewQuery(parameters: URLSearchParams): string {
  const kept = [...parameters].filter(([name, value]) => value !== '' && !NOT_OF_A_VIEW.has(name));
  return new URLSearchParams(kept.toSorted(([one], [other]) => (one < other ? -1 : 1))).toString();
}

/** The parameters of a view, for a link to it. */
export function viewParameters(query: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(query));
}
