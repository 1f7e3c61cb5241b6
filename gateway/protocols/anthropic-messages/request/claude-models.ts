/** What Claude's models take, told by the name under which an upstream has them. */

/**
 * Of `claude-sonnet-4-5-20250929` it is 4 and 5, of `anthropic.claude-3-5-sonnet-20241022-v2:0` 3
 * and 5.
 */
interface Version {
  readonly family: string;
  readonly major: number;
  readonly minor: number;
}

const NAMED = /claude-([a-z]+)-(\d{1,2})(?:[-.](\d{1,2}))?(?!\d)/;
const NUMBERED = /claude-(\d)(?:[-.](\d))?-([a-z]+)/;

function versionOf(upstreamModel: string): Version | undefined {
  const named = NAMED.exec(upstreamModel);
  if (named !== null) {
    return { family: named[1] ?? '', major: Number(named[2]), minor: Number(named[3] ?? 0) };
  }
  const numbered = NUMBERED.exec(upstreamModel);
  if (numbered === null) return undefined;
  return { family: numbered[3] ?? '', major: Number(numbered[1]), minor: Number(numbered[2] ?? 0) };
}

/**
 * A name of Claude's without a version is of its newest model. Other vendors that serve Messages
 * know what Anthropic's first models knew.
 */
function isFrom(upstreamModel: string, major: number, minor: number): boolean {
  const version = versionOf(upstreamModel);
  if (version === undefined) return /claude|anthropic/i.test(upstreamModel);
  return version.major > major || (version.major === major && version.minor >= minor);
}

/** Whether system messages may come in the middle of a conversation: from Opus 4.8 on. */
export function takesSystemMessages(upstreamModel: string): boolean {
  return isFrom(upstreamModel, 4, 8);
}

/** Whether `temperature`, `top_p` and `top_k` are refused. */
export function refusesSampling(upstreamModel: string): boolean {
  return isFrom(upstreamModel, 4, 7);
}

/** Whether the model decides by itself how much it thinks; older ones are given a budget. */
export function thinksAdaptively(upstreamModel: string): boolean {
  return isFrom(upstreamModel, 4, 6);
}

/** Whether the model thinks at all. */
export function canThink(upstreamModel: string): boolean {
  return versionOf(upstreamModel) === undefined || isFrom(upstreamModel, 3, 7);
}

/** Whether the model always thinks, and then refuses to be told not to, or which tool to call. */
export function alwaysThinks(upstreamModel: string): boolean {
  const family = versionOf(upstreamModel)?.family;
  if (family === 'opus') return isFrom(upstreamModel, 5, 5);
  return family === 'fable' && isFrom(upstreamModel, 5, 1);
}
