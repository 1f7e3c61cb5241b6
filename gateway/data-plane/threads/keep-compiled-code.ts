import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8 keep what it has compiled, in all threads of the process. Otherwise it throws away the
 * bytecode of functions that did not run for six collections of its old generation, and with it
 * what it had learnt to make them quick: a gateway that nobody asked for a minute then served its
 * next ten seconds at half speed, compiling everything again. Called when the process has started:
 * what only the start needed may go before.
 */
export function keepCompiledCode(): void {
  setFlagsFromString('--no-flush-bytecode');
}
