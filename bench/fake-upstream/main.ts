/**
 * The fake upstream as a process of its own, for trying things by hand: `node
 * bench/fake-upstream/main.ts [--port N]`. It prints its base URL on the first line and serves
 * until SIGINT or SIGTERM. Scripts come in the model name; see `behaviourFromModel`. For load there
 * is bench/load-upstream, which costs a fifth of the CPU and can do less.
 */
import { parseArgs } from 'node:util';
import { startFakeUpstream } from './fake-upstream.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });

const upstream = await startFakeUpstream({ port: Number(values.port) });
console.log(upstream.url);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void upstream.close());
}
