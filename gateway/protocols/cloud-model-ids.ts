/**
 * The ids that clouds give to models of other vendors. Each step takes one part away; a model may
 * be called by what is left after any of them.
 *
 * Sources: docs.aws.amazon.com/bedrock/latest/userguide/inference-profiles-support.html and
 * cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude.
 */
const STEPS: readonly (readonly [part: RegExp, left: string])[] = [
  // The ARN of a foundation model or a system-defined inference profile. The id at the end of an
  // application inference profile's says nothing.
  [/^arn:aws[a-z-]*:bedrock:[a-z0-9-]*:\d*:(?:foundation-model|inference-profile)\//, ''],
  // The geography of an inference profile.
  [/^(?:us|us-gov|eu|apac|jp|au|ca|global)\.(?=[a-z0-9]+\.)/, ''],
  // The vendor.
  [/^anthropic\./, ''],
  // The version of Bedrock's own: `-v1:0`, or `-v2:0:200k` with a context length.
  [/-v\d+:\d+(?::\w+)?$/, ''],
  // The version of Vertex AI. Its vendor writes the date with a hyphen.
  [/@(?:default|latest)$/, ''],
  [/@(?=\d{8}$)/, '-'],
];

/** Parts that ids of vendors end with as well, so that they are no sign of a cloud. */
const UNSURE_STEPS: readonly RegExp[] = [/-v\d+$/, /-\d{8}$/];

/**
 * Returns the ids under which a model that a client names by a cloud's id may be known, the most
 * exact first; none for an id that is not a cloud's.
 */
export function idsBehind(cloudId: string): readonly string[] {
  const ids: string[] = [];
  const take = (part: RegExp, left: string): void => {
    const id = ids.at(-1) ?? cloudId;
    const shorter = id.replace(part, left);
    if (shorter !== id) ids.push(shorter);
  };
  for (const [part, left] of STEPS) take(part, left);
  if (ids.length === 0) return ids;
  for (const part of UNSURE_STEPS) take(part, '');
  return ids;
}
