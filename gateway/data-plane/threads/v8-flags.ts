/** V8's flags for a process that serves for long; they count for its threads. */
import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8 keep hidden classes that no living object has. Called before threads start: it counts for
 * those that start afterwards. Otherwise V8's memory reducer visits a thread that has had little to
 * do for eight seconds and drops these classes, with all compiled code that depends on them:
 * streams of 50 chunks between pauses cost a fifth more. The price is memory: what a quiet thread
 * leaves is collected only when the thread has work again.
 */
export function keepHiddenClasses(): void {
  setFlagsFromString('--no-memory-reducer');
}

/**
 * Lets V8 keep what it has compiled. Otherwise it throws away the bytecode of functions that did
 * not run for six collections of its old generation, and with it what it had learnt to make them
 * quick: a gateway that got no request for a minute then served its next ten seconds at half speed,
 * compiling everything again. Called when the process has started: what only the start needed may
 * go before.
 */
export function keepCompiledCode(): void {
  setFlagsFromString('--no-flush-bytecode');
}

/**
 * Lets V8 collect the old generation of a thread when it has doubled. Otherwise a thread that
 * allocates little gets a limit just above what it uses, and buffers count: the main thread,
 * through which usage records pass on their way to PostgreSQL, collected its whole heap once or
 * twice a second, which was a tenth of the gateway's CPU time at 7,000 requests a second.
 */
export function collectSeldom(): void {
  setFlagsFromString('--heap-growing-percent=100');
}
