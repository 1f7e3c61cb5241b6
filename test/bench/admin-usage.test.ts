import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { periodsAt } from '../../bench/admin-usage/periods.ts';
import { takeAll } from '../../bench/admin-usage/measure-export.ts';

describe('the periods that are asked about', () => {
  it('follow the clock, over the ends of months and years', () => {
    expect(periodsAt(new Date('2026-11-21T09:00:00Z'))).toEqual({
      month: { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' },
      year: { from: '2025-11-21', to: '2026-11-21' },
      thisMonth: '2026-11',
    });
    expect(periodsAt(new Date('2028-03-31T23:59:59Z'))).toEqual({
      month: { from: '2027-05-01T00:00:00.000Z', to: '2027-06-01T00:00:00.000Z' },
      year: { from: '2027-04-01', to: '2028-03-31' },
      thisMonth: '2028-03',
    });
  });
});

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Takes an export of two rows from a server that answers so. */
async function take(status: number, body: string): ReturnType<typeof takeAll> {
  server = createServer((_request, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No TCP port was given.');
  return takeAll({ port: address.port, token: 'any', rows: 2 });
}

describe('the measurement of the export', () => {
  it('takes the whole file', async () => {
    const file = 'head\r\none\r\ntwo\r\n';
    expect(await take(200, file)).toEqual({ rows: 2, bytes: file.length });
  });

  it('breaks off when the export is refused or not all', async () => {
    await expect(take(503, 'head\r\none\r\ntwo\r\n')).rejects.toThrow('answers 503');
    await expect(take(200, 'head\r\none\r\n')).rejects.toThrow('1 rows instead of 2');
  });
});
