import { expect, it, onTestFinished } from 'vitest';
import { openGateway, openGoogle, openVertexDatabase } from './support/minting-gateway.ts';
import { passHour } from './support/pass-hour.ts';

it('serves a thousand requests in an hour with two grants', async () => {
  const database = await openVertexDatabase();
  onTestFinished(() => database.close());
  const google = await openGoogle();
  await passHour(await openGateway(database, google), google, 1_000);
  expect(google.tokens.grants).toBe(2);
});
