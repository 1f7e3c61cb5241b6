/**
 * The header that asks for a tier of processing, and that names the tier of a reply: InvokeModel of
 * Amazon Bedrock.
 */
export const TIER_HEADER = 'x-amzn-bedrock-service-tier';
