/** Members of a body of Messages at clouds, in place of the headers at Anthropic itself. */
export const VERSION_MEMBER = 'anthropic_version';
export const BETA_MEMBER = 'anthropic_beta';
