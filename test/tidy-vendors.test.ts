/** The data plane and the catalog know no vendor: protocols and providers do. */
import { expect, it } from 'vitest';
import { sourceFiles } from './support/sources/source-files.ts';

const VENDOR_WORDS =
  /openai|anthropic|claude|codex|gemini|google|goog-|\bgpt|azure|vertex|bedrock|minimax|openrouter|ollama|litellm|mistral|deepseek|chat\/completions|\bresponses\b|storesResponses|\/messages\b(?!\.ts)|previous_response|resp_|conv_|usageMetadata/i;

const SETTING = 'The name of a channel setting, in the admin API and the database as well.';

/** Lines that must stay, each with a reason. An entry without a line fails, too. */
const REASONS: readonly (readonly [path: string, line: RegExp, reason: string])[] = [
  ['gateway/catalog/snapshot.ts', /storesResponses: boolean/, SETTING],
  ['gateway/catalog/channel-columns.ts', /storesResponses: 'stores_responses'/, SETTING],
  ['gateway/data-plane/reply/client-reply.ts', /channel\.storesResponses/, SETTING],
  ['gateway/data-plane/stored/find-stored.ts', /channel\.storesResponses/, SETTING],
  ['gateway/data-plane/deliver.ts', /channel\.storesResponses/, SETTING],
  ['gateway/data-plane/routing/served-routes.ts', /channel\.storesResponses/, SETTING],
  ['gateway/data-plane/stored/stored-requests.ts', /channel\.storesResponses/, SETTING],
  [
    'gateway/data-plane/upstream/address-guard.ts',
    /Azure/i,
    'The address of a cloud’s hosts, which no channel may reach: it says nothing about models.',
  ],
  [
    'gateway/data-plane/authentication/credential-faults.ts',
    /'ollama',/,
    'A word that people enter in place of a key because an example has it.',
  ],
  [
    'gateway/data-plane/authentication/credential-faults.ts',
    /AWS_BEARER_TOKEN_BEDROCK/,
    'The setting of a client that signs its requests, which a key must replace.',
  ],
];

it('the data plane and the catalog name no vendor, with the exceptions that have a reason', () => {
  const unused = new Set(REASONS);
  const found = sourceFiles(['.ts', '.sql'], ['gateway/data-plane/', 'gateway/catalog/']).flatMap(
    ({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        if (!VENDOR_WORDS.test(line)) return [];
        const reason = REASONS.find(([file, what]) => file === path && what.test(line));
        if (reason !== undefined) unused.delete(reason);
        return reason === undefined ? [`${path}:${String(index + 1)}: ${line.trim()}`] : [];
      }),
  );
  expect(found).toEqual([]);
  expect([...unused].map(([path, what]) => `${path} ${String(what)}`)).toEqual([]);
});
