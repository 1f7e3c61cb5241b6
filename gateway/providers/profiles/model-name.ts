/** No vendor has longer names of models; what comes behind says nothing about the family. */
const NAME_CHARACTERS_MAX = 200;

/** A region and a maker in front of Bedrock's ids, as in `us.anthropic.claude-opus-4-5`. */
const BEDROCK_PREFIX =
  /^(?:[a-z]{2,6}(?:-[a-z]{2,4})?\.)?(?:ai21|amazon|anthropic|cohere|deepseek|google|meta|minimax|mistral|moonshot|moonshotai|nvidia|openai|qwen|xai|zai)\./;

/** The maker's name is a part of these: `deepseek.v3.2` is `deepseek-v3.2`. */
const BEDROCK_DEEPSEEK = /^(?:[a-z]{2,6}(?:-[a-z]{2,4})?\.)?deepseek\.(?=[rv]\d)/;

/** `claude-3-5-sonnet` was the order of the first names. */
const CLAUDE_NUMBER_FIRST = /^claude-(\d{1,2})(?:[-.](\d{1,2}))?-([a-z]+)/;
const CLAUDE = /^claude-([a-z]+)-(\d{1,2})(?:[-.](\d{1,2}))?(?![\d])/;

/**
 * Returns a model's name in the form that families match: without the path, region and maker that
 * sellers put in front of it, in lower case, with hyphens, and with versions as `4.5`.
 * `openai/gpt-5.5`, `accounts/fireworks/models/kimi-k2p6` and
 * `us.anthropic.claude-sonnet-4-5-20250929-v1:0` become `gpt-5.5`, `kimi-k2.6` and
 * `claude-sonnet-4.5-20250929-v1:0`.
 */
export function modelNameOf(upstreamModel: string): string {
  const last = upstreamModel.slice(upstreamModel.lastIndexOf('/') + 1);
  const name = last
    .slice(0, NAME_CHARACTERS_MAX)
    .toLowerCase()
    .replaceAll('_', '-')
    .replace(/^(?:ft:|~)/, '')
    .replace(BEDROCK_DEEPSEEK, 'deepseek-')
    .replace(BEDROCK_PREFIX, '')
    .replace(/(\d)p(?=\d)/g, '$1.');
  const known = Math.max(name.indexOf('claude'), name.indexOf('gemini-'));
  return known === -1 ? name : claudeName(name.slice(known));
}

function claudeName(name: string): string {
  return name
    .replace(CLAUDE_NUMBER_FIRST, (_all, major: string, minor: string | undefined, line: string) =>
      versioned(line, major, minor),
    )
    .replace(CLAUDE, (_all, line: string, major: string, minor: string | undefined) =>
      versioned(line, major, minor),
    );
}

function versioned(line: string, major: string, minor: string | undefined): string {
  return `claude-${line}-${major}.${minor ?? '0'}`;
}
