import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { cpuTimeUs } from '../../bench/processes/process-tree.ts';

/** A shell whose child counts for a while and ends; then it waits. */
const COUNTS = '(i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done); echo done; read end';

describe('the CPU time of a process tree', () => {
  it('has that of children that ended', async () => {
    const shell = spawn('sh', ['-c', COUNTS], { stdio: ['pipe', 'pipe', 'inherit'] });
    try {
      await once(shell.stdout, 'data');
      expect(cpuTimeUs(shell.pid ?? 0)).toBeGreaterThanOrEqual(50_000);
    } finally {
      shell.stdin.end();
    }
  });
});
