import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Figure } from '../../bench/measure/figure.ts';
import { SCENARIOS } from '../../bench/scenarios/all.ts';
import { HANG_MS } from '../support/clocks/hang.ts';

const run = promisify(execFile);

/** Everything the bench does, on inputs too small to measure anything. */
const folder = mkdtempSync(join(tmpdir(), 'weir-bench-smoke-'));
let output: string;
let figures: Figure[];

beforeAll(async () => {
  const against = ['--against', 'pass-through,metered'];
  const args = ['--disable-warning=ExperimentalWarning', 'bench/main.ts', '--tiny', ...against];
  const { stdout } = await run(process.execPath, [...args, '--results', folder], {
    timeout: 2 * HANG_MS,
    // SIGTERM lets the stores' undertakers see the end of the run.
    killSignal: 'SIGTERM',
  });
  output = stdout;
  const [lines = ''] = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  figures = readFileSync(join(folder, lines), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Figure & { line: string })
    .filter(({ line }) => line === 'figure');
}, 3 * HANG_MS);

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('a run of the bench on tiny inputs', () => {
  it.each(SCENARIOS)('finds figures for the scenario $name', ({ name }) => {
    const found = figures.filter(({ scenario }) => scenario === name);
    expect(found).not.toHaveLength(0);
    for (const figure of found) {
      expect(figure.rounds, figure.name).not.toHaveLength(0);
      expect(figure.rounds.every(Number.isFinite), figure.name).toBe(true);
    }
  });

  it('gets from the gateway the replies that each scenario is about', () => {
    const notes = figures.flatMap(({ scenario, name, note }) =>
      note === undefined ? [] : [`${scenario}: ${name}: ${note}`],
    );
    // How busy other programs keep the machine is not what this test is about.
    const wrong = notes.filter((note) =>
      /replies were not|not whole|not in the book|did not stay open/.test(note),
    );
    expect(wrong).toEqual([]);
  });

  it('measures next to it what the ledger alone costs', () => {
    const metered = figures.filter(({ target }) => target === 'metered');
    expect(metered.map(({ name }) => name)).toContain('CPU per request');
  });

  it('prints every bar next to its figure', () => {
    const barred = figures.filter(({ bar }) => bar !== undefined);
    const table = output.slice(output.indexOf('Every bar next to its figure'));
    for (const { name } of barred) expect(table).toContain(name);
    expect(barred.length).toBeGreaterThan(10);
  });

  it('draws the bars and the curves', () => {
    const plots = readdirSync(folder).filter((name) => name.endsWith('.svg'));
    expect(plots.some((name) => name.endsWith('-bars.svg'))).toBe(true);
    expect(plots.some((name) => name.includes('growth-over-connections'))).toBe(true);
    for (const plot of plots) {
      const svg = readFileSync(join(folder, plot), 'utf8');
      expect(svg).toMatch(/^<svg[^]*<\/svg>\n$/);
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    }
  });
});
