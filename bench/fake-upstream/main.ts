/**
 * The fake upstream as a process of its own: `node bench/fake-upstream/main.ts [--engine uws|http] [--port N]`.
 * It prints its base URL on the first line and serves until SIGINT or SIGTERM. Scripts come in the
 * model name; see `behaviourFromModel`.
 */
import { parseArgs } from 'node:util';
import { startFakeUpstream } from './fake-upstream.ts';
import { startUwsUpstream } from './uws-upstream.ts';

const { values } = parseArgs({
  options: {
    engine: { type: 'string', default: 'uws' },
    port: { type: 'string', default: '0' },
  },
});

const port = Number(values.port);
const upstream =
  values.engine === 'http' ? await startFakeUpstream({ port }) : await startUwsUpstream(port);
console.log(upstream.url);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void upstream.close());
}
