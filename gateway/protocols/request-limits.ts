/** Limits on what a request may ask for. All are compared before anything is sent or held. */
export interface RequestLimits {
  /** Levels of nesting in the body. */
  readonly jsonDepthMax: number;
  /** Choices (`n`) of one completion. */
  readonly choicesMax: number;
  /** Characters of a model ID. */
  readonly modelCharactersMax: number;
}

export const REQUEST_LIMITS: RequestLimits = {
  // Tool schemas of real agents stay below 30 levels; recursive readers in upstreams give up near 500.
  jsonDepthMax: 128,
  // The most OpenAI's chat completions accept.
  choicesMax: 128,
  // models.public_id holds at most 128.
  modelCharactersMax: 128,
};
