/** Bedrock fails: before the first output another channel serves, and clients see nothing of it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AWS_ERRORS } from '../../../support/upstreams/fake-aws/aws-error.ts';
import {
  ACCESS_KEY,
  EXPIRED_KEY,
  SESSION_KEY,
} from '../../../support/upstreams/fake-aws/verify-request.ts';
import { expectReconciled } from '../../ledger/support/reconcile.ts';
import { openBedrock, PRICES, type BedrockSite } from './support/open-bedrock.ts';
import { TURN_UPSTREAMS, USAGE } from './support/turn-upstreams.ts';

const COST =
  (USAGE.input - USAGE.cached) * PRICES.input +
  USAGE.cached * PRICES.cached +
  USAGE.output * PRICES.output;
const DONE = (
  TURN_UPSTREAMS.find(({ protocol }) => protocol === 'anthropic-messages')?.events({
    pieces: ['It is done.'],
  }) ?? []
).map((event) => JSON.parse(event.slice(event.indexOf('data: ') + 6)) as object);

describe('a channel that fails', () => {
  let two: BedrockSite;

  beforeAll(async () => {
    two = await openBedrock(['', '']);
    // By its credential the fake knows which of the channels asks.
    await two.setCredentials(two.channelIds[1] ?? '', [SESSION_KEY]);
    await two.republish();
  });

  afterAll(() => two.close());

  async function ask(stream: boolean): Promise<{ status: number; text: string }> {
    const reply = await fetch(`${two.url}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${two.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ model: two.model, max_tokens: 100, stream },
        messages: [{ role: 'user', content: 'Hello' }],
      }),
    });
    return { status: reply.status, text: await reply.text() };
  }

  /** A limit lasts a second. */
  async function firstIsBack(): Promise<void> {
    await expect
      .poll(async () => {
        await ask(true);
        return two.aws.requests.at(-1)?.headers.authorization;
      })
      .toContain('AKIA');
    await two.charged();
  }

  it.each([
    [
      'a throttling exception as the first frame',
      { error: AWS_ERRORS.throttled, exceptionAfter: 0 },
    ],
    [
      'an exception behind the start of the message',
      { error: AWS_ERRORS.internal, exceptionAfter: 1 },
    ],
    ['a stream that ends inside its first frame', { cutAt: 40 }],
    ['throttling', { error: AWS_ERRORS.throttled }],
  ])('has another one take over: %s', async (_name, failure) => {
    let asked = 0;
    two.aws.reply = () => {
      asked += 1;
      return asked === 1 ? { events: DONE, ...failure } : { events: DONE };
    };
    const { status, text } = await ask(true);
    expect([status, asked]).toEqual([200, 2]);
    expect(text).toContain('It is done.');
    expect(text).not.toContain('exception');
    expect(await two.charged()).toBe(COST);
    await firstIsBack();
  });

  it('uses another credential where the account of one has no access to the model', async () => {
    await two.setCredentials(two.channelIds[0] ?? '', [ACCESS_KEY, SESSION_KEY]);
    await two.republish();
    let refused = 0;
    two.aws.reply = ({ headers }) => {
      if (headers.authorization?.includes('AKIA') !== true) return { events: DONE };
      refused += 1;
      return { error: AWS_ERRORS.noModelAccess };
    };
    for (let turn = 0; turn < 8; turn += 1) {
      expect((await ask(true)).text).toContain('It is done.');
    }
    // For the next minute it is left alone.
    expect(refused).toBeLessThanOrEqual(1);
    expect(await two.charged()).toBe(8 * COST);
  });

  it('uses its other credential where one has expired', async () => {
    for (const channelId of two.channelIds) {
      await two.setCredentials(channelId, [EXPIRED_KEY, SESSION_KEY]);
    }
    await two.republish();
    two.aws.requests.length = 0;
    two.aws.reply = () => ({ events: DONE });
    for (let turn = 0; turn < 8; turn += 1) {
      expect((await ask(true)).text).toContain('It is done.');
    }
    expect(two.aws.requests).toHaveLength(8);
    expect(await two.charged()).toBe(8 * COST);
  });

  it('the books add up', () => expectReconciled(two.pool));
});
