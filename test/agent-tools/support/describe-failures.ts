import { expect, it } from 'vitest';
import type { ModelRequest, ModelUpstream, Turn } from './model-upstream.ts';
import type { ProgramEnd } from './run-program.ts';
import type { Answers, ServedTools } from './serve-tools.ts';

/** The answers of Weir that a failure led to, by status, and what the tool printed. */
export type Reaction = readonly [answers: Answers, prints: RegExp];

/** The reaction of a tool to each failure. */
export interface Reactions {
  /** Weir's own refusals, which nothing but the user can change. */
  readonly noMoney: Reaction | 'tries for minutes';
  readonly unknownModel: Reaction;
  readonly unknownKey: Reaction;
  /**
   * The upstream's, once: then it replies. After an overflow, tools stop or make the prompt
   * shorter.
   */
  readonly overflow: Reaction;
  readonly rateLimited: Reaction;
  readonly overloaded: Reaction;
  readonly cutAtOnce: Reaction;
  readonly cutMidway: Reaction;
}

/** Prints of a tool that has got over a failure. */
export const GETS_OVER_IT = /All is done\./;

/** Prints of a tool that does not try again what has begun. */
export const BROKEN_OFF = /The upstream broke off during this reply/;

/** A tool that shows what nobody but its user can change, and tries again what passes. */
export const USUAL: Reactions = {
  noMoney: [{ 402: 1 }, /does not cover this request/],
  unknownModel: [{ 404: 1 }, /no-such-model\\?" does not exist/],
  unknownKey: [{ 401: 1 }, /key is too short/],
  overflow: [{ 400: 1 }, /maximum context length is 200000/],
  rateLimited: [{ 200: 1, 429: 1 }, GETS_OVER_IT],
  overloaded: [{ 200: 1, 502: 1 }, GETS_OVER_IT],
  cutAtOnce: [{ 200: 1, 502: 1 }, GETS_OVER_IT],
  cutMidway: [{ 200: 2 }, GETS_OVER_IT],
};

/** Messages have a status of their own for an overload. */
export const OVERLOADED_MESSAGES: Reaction = [{ 200: 1, 529: 1 }, GETS_OVER_IT];

const FINAL: Turn = { text: 'All is done.' };

const PASSING = {
  overflow: 'overflow',
  rateLimited: 'rate limited',
  overloaded: 'overloaded',
  cutAtOnce: 'cut at once',
  cutMidway: 'cut midway',
} as const;

export interface FailingTool {
  readonly served: () => ServedTools;
  readonly publicId: string;
  readonly reactions: Reactions;
  /** Reports whether a request is for the task, and not for a title or such. */
  readonly isForTask: (request: ModelRequest) => boolean;
  readonly run: (model: string, key: string) => Promise<ProgramEnd>;
}

/** Defines a test for each failure: how many requests the tool sends, and what its user reads. */
export function describeFailures(tool: FailingTool): void {
  const { served, publicId, reactions, isForTask } = tool;

  const expectReaction = async (
    [answers, prints]: Reaction,
    { model = publicId, key }: { readonly model?: string; readonly key: string },
  ): Promise<void> => {
    await served().newAnswers();
    const { stdout, stderr } = await tool.run(model, key);
    const shown = stdout + stderr;
    expect({ answers: await served().newAnswers(), shown }).toEqual({
      answers,
      shown: expect.stringMatching(prints) as string,
    });
  };

  const play = (turnOf: (askedBefore: number) => Turn): ModelUpstream => {
    const upstream = served().upstreamOf(publicId);
    let asked = 0;
    upstream.play((request) => {
      if (!isForTask(request)) return { text: 'A title' };
      asked += 1;
      return turnOf(asked - 1);
    });
    return upstream;
  };

  const { noMoney } = reactions;
  it.runIf(typeof noMoney !== 'string')('shows that there is no money, and stops', async () => {
    if (typeof noMoney === 'string') return;
    const upstream = play(() => FINAL);
    const { key } = await served().newUser(publicId, 0);
    await expectReaction(noMoney, { key });
    expect(upstream.requests).toEqual([]);
  });

  it('shows that there is no such model, and does not try for long', async () => {
    const { key } = await served().newUser(publicId);
    await expectReaction(reactions.unknownModel, { key, model: 'no-such-model' });
  });

  it('shows that its key is wrong, and does not try for long', async () => {
    await expectReaction(reactions.unknownKey, { key: 'sk-wrong' });
  });

  it.each(Object.entries(PASSING))(
    'knows what to do when the upstream fails once: %s',
    async (name, failure) => {
      play((askedBefore) => (askedBefore === 0 ? { failure, text: 'I look.' } : FINAL));
      const { key, bills } = await served().newUser(publicId);
      await expectReaction(reactions[name as keyof typeof PASSING], { key });
      await bills();
    },
  );
}
