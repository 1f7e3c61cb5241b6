/**
 * `npm run bench`: runs scenarios, prints a table, writes results and plots. `--help` names the
 * flags.
 */
import { basename } from 'node:path';
import { openBench } from './bench.ts';
import type { Figure } from './measure/figure.ts';
import { readOptions, USAGE, type Options } from './options.ts';
import { describeMachine } from './report/machine.ts';
import { openRecorder } from './report/recorder.ts';
import { tableOf, tableOfBars } from './report/table.ts';
import { writePlots } from './report/write-plots.ts';
import { chooseScenarios, SCENARIOS } from './scenarios/all.ts';

async function run(options: Options): Promise<void> {
  const scenarios = chooseScenarios(options.scenarios);
  const started = new Date();
  const machine = describeMachine();
  // Where it is written says nothing about the run, and a file that is handed on need not name
  // folders.
  const { resultsFolder, base, ...others } = options;
  const told = { ...others, base: base && basename(base) };
  const recorder = openRecorder(resultsFolder, started);
  recorder.write({ line: 'run', at: started.toISOString(), options: told, machine });
  console.log(
    `${machine.processor}, ${machine.cores} cores, Node ${machine.node}, commit ${machine.commit ?? 'unknown'}`,
  );
  if (options.subject !== 'weir') {
    console.log(`Null test: "weir" is the ${options.subject} here.`);
  }
  const bench = await openBench(options, recorder);
  const figures: Figure[] = [];
  try {
    for (const scenario of scenarios) {
      const startedMs = performance.now();
      const found = await scenario.run(bench);
      recorder.write({
        line: 'scenario',
        name: scenario.name,
        seconds: (performance.now() - startedMs) / 1000,
      });
      for (const figure of found) recorder.write({ line: 'figure', ...figure });
      figures.push(...found);
      console.log(tableOf(`${scenario.name}: ${scenario.about}`, found));
    }
  } finally {
    await bench.close();
  }
  console.log(tableOfBars(figures));
  const plots = writePlots(recorder.path, figures);
  const minutes = (Date.now() - started.getTime()) / 60_000;
  console.log(`\n${recorder.path}.jsonl and ${plots.length} plots, in ${minutes.toFixed(1)} min`);
}

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  const options = readOptions(args);
  if (options.scenarios.includes('list')) {
    for (const { name, about } of SCENARIOS) console.log(`${name.padEnd(18)} ${about}`);
    return 0;
  }
  await run(options);
  return 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? (error.stack ?? error.message) : error);
  // What has been started would keep the process alive; all of it ends when the process does.
  process.exit(1);
}
