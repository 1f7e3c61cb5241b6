import { isOwnJsonObject, type OwnJsonObject } from '../../platform/json/json-value.ts';

/** The usage of a chunk: in its own place, or in Groq's or Moonshot's. */
export function usageIn({ usage, x_groq: groq }: OwnJsonObject, choice: unknown): unknown {
  if (isOwnJsonObject(usage)) return usage;
  if (isOwnJsonObject(groq)) return groq['usage'];
  return isOwnJsonObject(choice) ? choice['usage'] : undefined;
}
