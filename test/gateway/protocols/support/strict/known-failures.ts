/**
 * Which requests fail today, by vendor and by the rule of the strict upstream that refuses them,
 * with their number. A number that changes fails the test in either direction: what is mended has
 * to be taken out, and nothing may be added.
 *
 * What is left are requests to a server of which nothing is known (`plain`), and to an organisation
 * that OpenAI has not verified: no profile can know that they refuse a field.
 */
import type { Failures } from './tally.ts';

/** Requests of every case and client, as the codecs write them. */
export const KNOWN: Failures = {
  'openai-responses': { 'reasoning.summary': 12 },
  plain: { 'unknown field': 45 },
};

/** Failures of requests that agents and SDKs have sent. */
export const KNOWN_RECORDED: Failures = {
  'openai-responses': { 'reasoning.summary': 12 },
  plain: { 'unknown field': 11, 'response_format.type': 2, 'message field': 2 },
};

/**
 * Those of both that the gateway does not serve either, with all that it learns of refusals. A tool
 * that must be called and a format carry meaning: without them a reply could be something else than
 * was asked for, so their refusal is the client's to read. An operator who knows the server chooses
 * a profile for it, which asks for the format by a tool or a prompt.
 */
export const UNSERVED: Failures = {
  plain: { tool_choice: 4, 'response_format.type': 3 },
};
