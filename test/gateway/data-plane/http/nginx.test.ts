import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Ticker } from '../../../../gateway/platform/event-loop/ticker.ts';
import type { Exchange } from '../../../../gateway/data-plane/http/exchange.ts';
import { listen, type Listener } from '../../../../gateway/data-plane/http/listen.ts';
import { findNginx } from '../../../support/machine/executables.ts';
import { until } from '../../../support/clocks/hang.ts';
import { freePort } from '../../../support/machine/free-port.ts';
import { readSource } from '../../../support/sources/source-files.ts';

const nginx = findNginx();
const ticker = new Ticker();
const WHOLE = 'w'.repeat(600_000);

/** The block of docs/deploy.md, with ports of this test. */
function configuration(folder: string, port: number, gatewayPort: number): string {
  const [, block = ''] = /```nginx\n([^`]+)```/.exec(readSource('docs/deploy.md')) ?? [];
  const server = block
    .replace('127.0.0.1:8080', `127.0.0.1:${gatewayPort}`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  return `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr;
events {}
http { access_log off; ${temporary.join(' ')} ${server} }`;
}

describe('nginx as docs/deploy.md sets it up', () => {
  let folder: string;
  let listener: Listener;
  let child: ChildProcess;
  let url: string;
  let goOn: (() => void) | undefined;

  function onExchange(exchange: Exchange): void {
    if (exchange.path === '/whole') {
      exchange.reply(200, [['x-connection', exchange.header('connection')]], WHOLE);
      return;
    }
    exchange.startStream([], 'first ', { keepAlive: ': \n\n' });
    goOn = () => exchange.endStream('last');
  }

  beforeAll(async () => {
    listener = await listen({
      host: '127.0.0.1',
      port: 0,
      crossOriginHeaders: [],
      reuseConnections: true,
      ticker,
      onExchange,
    });
    folder = mkdtempSync(join(tmpdir(), 'weir-nginx-'));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const file = join(folder, 'nginx.conf');
    writeFileSync(file, configuration(folder, port, listener.port));
    child = spawn(nginx ?? 'nginx', ['-e', 'stderr', '-p', folder, '-c', file], {
      stdio: 'inherit',
    });
    await until('nginx listens', () =>
      fetch(`${url}/whole`, { method: 'HEAD' }).catch(() => false),
    );
  });

  afterAll(async () => {
    const exited = once(child, 'exit');
    child.kill();
    await exited;
    listener.close();
    rmSync(folder, { recursive: true });
  });

  it('passes whole replies, over connections that it keeps', async () => {
    for (let round = 0; round < 3; round += 1) {
      const reply = await fetch(`${url}/whole`, { method: 'POST', body: 'x'.repeat(200_000) });
      expect(reply.status).toBe(200);
      expect(reply.headers.get('x-connection')).toBe('');
      expect(await reply.text()).toBe(WHOLE);
    }
  });

  it('passes streams as they come', async () => {
    const reply = await fetch(`${url}/stream`, { method: 'POST', body: '{}' });
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
    // The rest is sent when this has arrived.
    expect(await reader?.read()).toEqual({ done: false, value: 'first ' });
    goOn?.();
    expect(await reader?.read()).toEqual({ done: false, value: 'last' });
    expect(await reader?.read()).toEqual({ done: true, value: undefined });
  });
});
