/** A store did what it was asked and answered something else; the message says what. */
export class SelfTestFailure extends Error {
  constructor(store: 'PostgreSQL' | 'Redis', otherwise: string) {
    super(
      `The self-test of ${store} failed: ${otherwise}. Look for settings and extensions that change what it answers.`,
    );
  }
}
