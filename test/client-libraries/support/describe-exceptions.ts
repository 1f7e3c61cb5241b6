import { expect, it, vi } from 'vitest';
import type { ModelUpstream } from '../../agent-tools/support/model-upstream.ts';
import type { ServedLibraries } from './serve-libraries.ts';

/** The status and the class of the exception that a library throws. */
export type Thrown = readonly [status: number, className: string];

/** The exceptions that a library makes of failures. */
export interface Exceptions {
  readonly noMoney: Thrown;
  readonly unknownModel: Thrown;
  readonly unknownKey: Thrown;
  readonly overflow: Thrown;
  readonly rateLimited: Thrown;
  readonly overloaded: Thrown;
  /** Number of requests until a temporary failure is over; 1 if it does not retry. */
  readonly requestsUntilSuccess: number;
}

export interface FailingLibrary {
  readonly served: () => ServedLibraries;
  readonly publicId: string;
  readonly exceptions: Exceptions;
  /** Asks for a text, with the library's own retries or without any. */
  readonly ask: (client: {
    readonly key: string;
    readonly model: string;
    readonly retries: boolean;
  }) => Promise<string>;
}

/** Counts what is sent to Weir: every library sends by `fetch`. */
async function countRequests(send: () => Promise<unknown>): Promise<number> {
  const { fetch } = globalThis;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(fetch);
  try {
    await send();
    return spy.mock.calls.length;
  } finally {
    spy.mockRestore();
  }
}

async function thrownBy(asked: Promise<string>): Promise<Thrown> {
  const thrown: unknown = await asked.then(
    (text) => new Error(`It has replied: ${text}`),
    (error: unknown) => error,
  );
  if (!(thrown instanceof Error)) throw new TypeError(`It has thrown ${String(thrown)}`);
  const status = 'status' in thrown ? Number(thrown.status) : 0;
  return [status, thrown.constructor.name];
}

/** Defines a test for each failure: which exception the program gets, after how many requests. */
export function describeExceptions({ served, publicId, exceptions, ask }: FailingLibrary): void {
  const expectThrown = async (
    expected: Thrown,
    { model = publicId, key }: { readonly model?: string; readonly key: string },
  ): Promise<void> => {
    let thrown: Thrown | undefined;
    const requests = await countRequests(async () => {
      thrown = await thrownBy(ask({ key, model, retries: true }));
    });
    expect({ thrown, requests }).toEqual({ thrown: expected, requests: 1 });
  };
  const upstream = (): ModelUpstream => served().upstreamOf(publicId);

  it('throws once that there is no money', async () => {
    const { key } = await served().newUser(publicId, 0);
    await expectThrown(exceptions.noMoney, { key });
  });

  it('throws once that there is no such model', async () => {
    const { key } = await served().newUser(publicId);
    await expectThrown(exceptions.unknownModel, { key, model: 'no-such-model' });
  });

  it('throws once that the key is wrong', async () => {
    await expectThrown(exceptions.unknownKey, { key: 'sk-wrong' });
  });

  it('throws once that the prompt is too long', async () => {
    upstream().play(() => ({ failure: 'overflow' }));
    const { key, bills } = await served().newUser(publicId);
    await expectThrown(exceptions.overflow, { key });
    expect(await bills()).toEqual([]);
  });

  it.each([
    ['overloaded', exceptions.overloaded],
    ['rate limited', exceptions.rateLimited],
  ] as const)('tries again when the upstream is %s for now', async (failure, expected) => {
    // The channel rests after a failure: it has to be over, or there are more requests.
    upstream().play(() => ({ text: 'Good day' }));
    await ask({ key: (await served().newUser(publicId)).key, model: publicId, retries: true });
    const { key, bills } = await served().newUser(publicId);
    let asked = 0;
    upstream().play(() => {
      asked += 1;
      return asked === 1 ? { failure } : { text: 'Good day' };
    });
    const { requestsUntilSuccess: requestsMax } = exceptions;
    if (requestsMax > 1) {
      const requests = await countRequests(async () => {
        expect(await ask({ key, model: publicId, retries: true })).toBe('Good day');
      });
      expect(requests).toBe(requestsMax);
      expect(await bills()).toHaveLength(1);
    }
    upstream().play(() => ({ failure }));
    expect(await thrownBy(ask({ key, model: publicId, retries: false }))).toEqual(expected);
  });
}
