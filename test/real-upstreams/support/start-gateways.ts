import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages, reportMissing } from '../../agent-tools/support/install-packages.ts';
import { fetchPython } from '../../client-libraries/support/fetch-python.ts';
import { startServer, type RealServer } from './start-server.ts';

/** Later releases need a package that the registry does not have. */
const LITELLM = 'litellm[proxy]==1.106.12';
const PORTKEY = '@portkey-ai/gateway@1.15.2';

/** Starts LiteLLM's proxy, with one model; undefined if it cannot be fetched. */
export async function startLiteLlm(model: {
  readonly name: string;
  /** The base URL of the upstream behind it. */
  readonly upstreamUrl: string;
}): Promise<RealServer | undefined> {
  const python = await fetchPython([LITELLM]);
  if (python === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'weir-litellm-'));
  const config = join(folder, 'config.json');
  // YAML reads JSON.
  const params = {
    model: `openai/${model.name}`,
    api_base: model.upstreamUrl,
    api_key: 'sk-upstream',
  };
  const models = [{ model_name: model.name, litellm_params: params }];
  await writeFile(config, JSON.stringify({ model_list: models }));
  const server = await startServer({
    name: 'litellm',
    command: 'env',
    args: (port) => [
      // Weir's own, where the machine has one.
      ...['-u', 'DATABASE_URL'],
      python.program('litellm'),
      ...['--config', config, '--host', '127.0.0.1', '--port', String(port)],
    ],
    env: {
      LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY: 'true',
      // It would fetch its prices from afar.
      LITELLM_LOCAL_MODEL_COST_MAP: 'True',
    },
    readyPath: '/health/liveliness',
  });
  return {
    url: server.url,
    stop: async () => {
      await server.stop();
      await python.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts Portkey's gateway; undefined if it cannot be fetched. */
export async function startPortkey(upstreamUrl: string): Promise<RealServer | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-portkey-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await installPackages(folder, [PORTKEY]);
  } catch (error) {
    await remove();
    reportMissing(PORTKEY, error);
    return undefined;
  }
  const program = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  const server = await startServer({
    name: 'portkey',
    command: process.execPath,
    args: (port) => [program, `--port=${String(port)}`, '--headless'],
    readyPath: '/',
  });
  const named = await withHeaders(server.url, {
    'x-portkey-provider': 'openai',
    'x-portkey-custom-host': upstreamUrl,
  });
  return {
    url: named.url,
    stop: async () => {
      await named.stop();
      await server.stop();
      await remove();
    },
  };
}

/** A proxy that adds the headers by which a gateway finds its upstream: channels have none. */
async function withHeaders(
  target: string,
  headers: Readonly<Record<string, string>>,
): Promise<RealServer> {
  const proxy = createServer((request, response) => {
    const { host: _host, ...given } = request.headers;
    const forwarded = httpRequest(
      target + (request.url ?? ''),
      { method: request.method, headers: { ...given, ...headers } },
      (reply) => {
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      },
    );
    forwarded.once('error', () => response.destroy());
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    stop: () =>
      new Promise((resolve) => {
        proxy.close(() => resolve());
        proxy.closeAllConnections();
      }),
  };
}
