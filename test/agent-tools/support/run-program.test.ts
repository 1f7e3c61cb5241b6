import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { HANG_MS, until } from '../../support/clocks/hang.ts';
import { runProgram } from './run-program.ts';

const OPTIONS = { cwd: '/', env: { PATH: process.env['PATH'] ?? '' }, timeoutMs: HANG_MS / 2 };

function runs(pid: number): boolean {
  try {
    // A zombie has ended: only its parent has not asked for its code.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('a program that a test runs', () => {
  it('says what it printed, and with which code it ended', async () => {
    const end = await runProgram('sh', ['-c', 'echo out; echo err >&2; exit 3'], OPTIONS);
    expect(end).toEqual({ code: 3, stdout: 'out\n', stderr: 'err\n' });
  });

  it('leaves no process behind', async () => {
    const { stdout } = await runProgram('sh', ['-c', 'sleep 1000 & echo $!'], OPTIONS);
    await until('the end of what it started', () => !runs(Number(stdout)));
  });

  it('is killed when its time is over, and what it printed is shown', async () => {
    const hangs = runProgram('sh', ['-c', 'echo begun; sleep 1000'], {
      ...OPTIONS,
      timeoutMs: 500,
    });
    await expect(hangs).rejects.toThrow('begun');
  });

  it('is a failure if it cannot be started', async () => {
    await expect(runProgram('/nowhere', [], OPTIONS)).rejects.toThrow('ENOENT');
  });
});
