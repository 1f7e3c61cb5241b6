import { ConfigError } from '../platform/config/config.ts';
import { EXIT } from '../data-plane/threads/exit-codes.ts';

/** Runs a command of the operator. What he can put right is said in a sentence, without a stack. */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = EXIT.cannotStart;
  }
}
