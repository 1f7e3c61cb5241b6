import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../test/support/machine/free-port.ts';
import { makeTemporaryFolder, serverProcess } from '../../test/support/machine/server-process.ts';
import { LOCAL, type Target } from '../targets/target.ts';

/** Debian puts nginx where only root's PATH looks. */
const CANDIDATES = ['nginx', '/usr/sbin/nginx', '/usr/local/sbin/nginx'];

interface NginxOptions {
  readonly folder: string;
  readonly port: number;
  readonly upstreamPort: number;
  readonly connectionsMax: number;
}

/**
 * One worker, as the pass-through is one thread; no log, no buffering of replies, connections kept.
 */
function configuration({ folder, port, upstreamPort, connectionsMax }: NginxOptions): string {
  const workerConnections = 2 * connectionsMax + 64;
  return `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events { worker_connections ${workerConnections}; }
http {
  access_log off;
  keepalive_requests 1000000000;
  client_max_body_size 32m;
  client_body_buffer_size 512k;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream load {
    server ${LOCAL}:${upstreamPort};
    keepalive ${connectionsMax};
    keepalive_requests 1000000000;
  }
  server {
    listen ${LOCAL}:${port} backlog=4096;
    location / {
      proxy_pass http://load;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
      proxy_read_timeout 120s;
    }
  }
}
`;
}

/** The nginx that is installed; undefined when there is none. */
export function findNginx(): string | undefined {
  return CANDIDATES.find((command) => {
    try {
      execFileSync(command, ['-v'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  });
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: LOCAL, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Starts nginx with `proxy_pass` to the upstream. Throws when it is not installed. */
export async function startNginx(upstreamPort: number, connectionsMax: number): Promise<Target> {
  const command = findNginx();
  if (command === undefined) throw new Error('nginx is not installed.');
  const folder = makeTemporaryFolder('bench-nginx');
  const port = await freePort();
  const path = join(folder, 'nginx.conf');
  writeFileSync(path, configuration({ folder, port, upstreamPort, connectionsMax }));
  const server = serverProcess({
    command,
    args: ['-c', path, '-p', folder, '-e', join(folder, 'error.log')],
    folder,
    isReady: () => listens(port),
    signals: { stop: 'SIGTERM', abandon: 'QUIT' },
  });
  await server.start();
  return {
    name: 'nginx',
    destination: { host: LOCAL, port },
    pid: server.pid() ?? 0,
    headers: {},
    tidy: () => undefined,
    stop: server.stop,
    kill: server.kill,
  };
}
