/**
 * Random requests against the served OpenAPI document. `SCHEMATHESIS_EXAMPLES=50` asks for fifty of
 * each operation and caller, alongside those that cover the edges of each schema.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Socket, type AddressInfo, type SocketConnectOpts } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runProgram } from '../../agent-tools/support/run-program.ts';
import { fetchPython } from '../../client-libraries/support/fetch-python.ts';
import { HANG_MS } from '../../support/clocks/hang.ts';
import type { Person } from './support/fixture.ts';
import { useEverything } from './support/use/use-everything.ts';
import type { Walk } from './support/walk.ts';

const EXAMPLES = Number(process.env['SCHEMATHESIS_EXAMPLES'] ?? 5);
const TIMEOUT_MS = (10 + EXAMPLES) * HANG_MS;
vi.setConfig({ testTimeout: TIMEOUT_MS });

/** The document lists 501 to 503 route by route; 500 is in no place of it. */
const SETTINGS = `
[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", 501, 502, 503]
`;

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

/** Sessions and tokens that are used here outlive a request that ends them. */
const KEEP_CALLERS = `
  create function keep_callers() returns trigger language plpgsql as $$ begin
    return case when exists (select 1 from kept_callers where user_id = old.user_id) then null else old end;
  end $$;
  create table kept_callers (user_id uuid primary key);
  create trigger keep_callers before delete on sessions for each row execute function keep_callers();
  create trigger keep_callers before delete on access_tokens for each row execute function keep_callers()`;

const python = await fetchPython(['schemathesis==4.32.5']);
let walk: Walk;
let folder: string;
let url: string;

/** Routes that call other servers are given invented addresses: no request leaves the machine. */
function stayHere(): void {
  // oxlint-disable-next-line typescript/unbound-method -- It is called on the socket, below.
  const connect = Socket.prototype.connect;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
    this: Socket,
    ...args: unknown[]
  ) {
    const [first] = args.flat() as [SocketConnectOpts | number | string];
    const host = typeof first === 'object' && 'host' in first ? first.host : undefined;
    if (host === undefined || /^(127\.|localhost$|::1$)/.test(host)) {
      return Reflect.apply(connect, this, args) as Socket;
    }
    process.nextTick(() => this.destroy(new Error(`${host} is not called by a test`)));
    return this;
  });
}

beforeAll(async () => {
  if (python === undefined) return;
  stayHere();
  walk = await useEverything();
  await walk.fixture.pool.query(KEEP_CALLERS);
  await walk.fixture.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(walk.fixture.app.server.address() as AddressInfo).port}`;
  folder = await mkdtemp(join(tmpdir(), 'weir-schemathesis-'));
  await writeFile(join(folder, 'schemathesis.toml'), SETTINGS);
});

afterAll(async () => {
  if (python === undefined) return;
  vi.restoreAllMocks();
  await walk.close();
  await python.remove();
  await rm(folder, { recursive: true, force: true });
});

async function keep(person: Person): Promise<Person> {
  await walk.fixture.pool.query('insert into kept_callers values ($1)', [person.userId]);
  return person;
}

async function tokenOfAdmin(): Promise<string> {
  const as = await keep(await walk.fixture.admin());
  const body = { name: 'random requests', scope: 'full' } as const;
  return (await walk.fixture.ask('createAccessToken', { as, body })).reply.token;
}

interface Asked {
  readonly header: string;
  readonly output: string;
  readonly code: number | null;
}

async function askAtRandom(program: string, header: string): Promise<Asked> {
  const args = [
    ...['run', `${url}/api/openapi.json`, '--header', header, '--no-color'],
    ...['--max-examples', String(EXAMPLES), '--continue-on-failure', '--warnings', 'off'],
    ...['--generation-database', 'none', '--checks', CHECKS.join(',')],
    ...['--request-timeout', String(HANG_MS / 1_000)],
  ];
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
  const end = await runProgram(program, args, { cwd: folder, env, timeoutMs: TIMEOUT_MS });
  const output = end.stdout + end.stderr;
  const summary = output.slice(output.lastIndexOf('= SUMMARY ='));
  process.stdout.write(`${header.split(/[=_]/)[0] ?? ''}\n${summary}\n`);
  return { header, output, code: end.code };
}

/** The request ids and words of what was logged as a fault of Weir. */
function faultsLogged(): string[] {
  return walk.fixture.log.filter((line) => line.includes('"msg":"request failed"'));
}

describe.runIf(python !== undefined)('random requests of', () => {
  const schemathesis = (): string => python?.program('schemathesis') ?? '';

  it.each([
    ['a customer', async () => `Cookie: ${(await keep(await walk.fixture.user())).cookie}`],
    ['an access token', async () => `Authorization: Bearer ${await tokenOfAdmin()}`],
    ['an administrator', async () => `Cookie: ${(await keep(await walk.fixture.admin())).cookie}`],
  ])('%s meet no 500, and no reply that is not documented', async (_who, headerOf) => {
    const header = await headerOf();
    const { output, code } = await askAtRandom(schemathesis(), header);
    expect(faultsLogged(), output).toEqual([]);
    expect(code, output).toBe(0);
    const [name = '', value = ''] = header.split(': ');
    const own = await fetch(`${url}/api/v1/users/me`, { headers: { [name]: value } });
    expect(own.status, 'the caller was still logged in').toBe(200);
  });
});
