/** How Messages requests to an upstream differ from those to Anthropic's own interface. */
export interface MessagesVariant {
  /** The value of `anthropic_version`, a member of the body in place of the header. */
  readonly version: string;
  /** Versions of clients that are taken there as they are; others become `version`. */
  readonly clientVersions: ReadonlySet<string>;
  /** The path names the model, and the body must not. */
  readonly modelInPath: boolean;
  /** Values of `anthropic-beta` that are taken, with their names there; others are withheld. */
  readonly betas: ReadonlyMap<string, string>;
}

interface SortedBetas {
  /** As the upstream calls them. */
  readonly taken: readonly string[];
  /** As the client called them. */
  readonly withheld: readonly string[];
}

/** @param list the header's value */
export function sortBetas(list: string, { betas }: MessagesVariant): SortedBetas {
  const taken = new Set<string>();
  const withheld: string[] = [];
  for (const beta of list.split(',').map((one) => one.trim())) {
    const name = betas.get(beta);
    if (name !== undefined) taken.add(name);
    else if (beta !== '') withheld.push(beta);
  }
  return { taken: [...taken], withheld };
}
