/** Members of a body of Messages at clouds, in place of the headers at Anthropic itself. */
export const VERSION_MEMBER = 'anthropic_version';
export const BETA_MEMBER = 'anthropic_beta';
/** The header by which clients of Bedrock ask for a tier, and in which the reply names one. */
export const TIER_HEADER = 'x-amzn-bedrock-service-tier';
