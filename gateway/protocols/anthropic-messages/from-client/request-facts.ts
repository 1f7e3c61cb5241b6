/** The facts gathered about a request while its messages, tools and system prompt are checked. */
export interface RequestFacts {
  /** Content blocks whose tokens do not show in their bytes. */
  mediaParts: number;
  /** Bytes of those blocks. */
  mediaBytes: number;
  /** One of them may be as long as any prompt, or the upstream adds to the prompt by itself. */
  hasUnboundedParts: boolean;
  /** A cache mark asks for an hour, which has a price of its own. */
  writesForAnHour: boolean;
  searchesTheWeb: boolean;
  /** Thinking blocks, which the account that made them alone can verify. */
  hasThinking: boolean;
  /** Thinking blocks that Anthropic would refuse: they are of another vendor, or of none. */
  hasForeignParts: boolean;
}

export function noFacts(): RequestFacts {
  return {
    mediaParts: 0,
    mediaBytes: 0,
    hasUnboundedParts: false,
    writesForAnHour: false,
    searchesTheWeb: false,
    hasThinking: false,
    hasForeignParts: false,
  };
}
