import { ConfigError } from '../platform/config/config.ts';
import { EXIT } from '../data-plane/threads/exit-codes.ts';

/**
 * Runs a command of the operator. An error that the operator can correct is a sentence, without a
 * stack.
 */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = EXIT.cannotStart;
  }
}
