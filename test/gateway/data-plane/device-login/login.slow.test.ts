import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../support/clocks/hang.ts';
import { DEVICE_GRANT, startLoginFixture, type LoginFixture } from './support/login-fixture.ts';

let fixture: LoginFixture;

beforeAll(async () => {
  fixture = await startLoginFixture();
  await fixture.api('POST', `/accounts/${fixture.accountId}/credits`, {
    amountUsd: '5',
    reason: 'for tests',
  });
});
afterAll(() => fixture.close());

/** The reasons of refusals and ends in the audit log, oldest first. */
async function audited(): Promise<string[]> {
  const reply = await fixture.api('GET', '/audit-entries?limit=100');
  const { data } = (await reply.json()) as {
    data: { after: { refused?: string; reason?: string } | null }[];
  };
  return data.flatMap(({ after }) => after?.refused ?? after?.reason ?? []).toReversed();
}

/** Waits until a token has stopped, as it must within a second. */
async function untilRefused(token: string): Promise<Response> {
  let last = await fixture.ask(token);
  await until('the token is refused', async () => {
    last = await fixture.ask(token);
    return last.status === 401;
  });
  return last;
}

describe('a tool that logs in', () => {
  it('finds every address on the origin that it asks', async () => {
    const { url } = fixture.weir;
    const reply = await fetch(`${url}/.well-known/oauth-authorization-server`);
    expect(await reply.json()).toMatchObject({
      issuer: url,
      device_authorization_endpoint: `${url}/oauth/device_authorization`,
      token_endpoint: `${url}/oauth/token`,
      revocation_endpoint: `${url}/oauth/revoke`,
      grant_types_supported: [DEVICE_GRANT, 'refresh_token'],
    });
    const page = await fetch(`${url}/device?user_code=BCDF-GHJK`, { redirect: 'manual' });
    expect(page.status).toBe(302);
    const { adminUrl } = fixture.weir;
    expect(page.headers.get('location')).toBe(`${adminUrl}/device?user_code=BCDF-GHJK`);
  });

  it('waits for a person, is allowed, and then asks models with a key of theirs', async () => {
    const codes = await fixture.begin();
    expect(codes).toMatchObject({ expires_in: 600, interval: 5 });
    expect(codes.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    // 256 bits.
    expect(Buffer.from(codes.device_code, 'base64url').length).toBeGreaterThanOrEqual(32);
    expect((await fixture.poll(codes)).body.error).toBe('authorization_pending');
    // Sooner than the interval.
    expect((await fixture.poll(codes)).body.error).toBe('slow_down');

    const preview = await fixture.api('POST', '/device-logins/lookup', {
      userCode: codes.user_code.toLowerCase().replace('-', ' '),
    });
    expect(await preview.json()).toMatchObject({ tool: 'claude_code', address: '127.0.0.1' });
    const { keyId, tokens } = await fixture.logIn();
    expect(tokens).toMatchObject({
      token_type: 'Bearer',
      expires_in: 28_800,
      email: 'admin@example.org',
    });
    expect(tokens.access_token).toMatch(/^sk-[0-9A-Za-z]{43}$/);
    const reply = await fixture.ask(tokens.access_token);
    expect(reply.status, await reply.clone().text()).toBe(200);
    const key = await fixture.api('GET', `/keys/${keyId}`);
    expect(await key.json()).toMatchObject({
      login: { tool: 'claude_code', address: '127.0.0.1' },
      memberEmail: 'admin@example.org',
    });
  });

  it('gets its tokens once it is allowed, however soon it asks', async () => {
    const codes = await fixture.begin();
    await fixture.poll(codes);
    expect((await fixture.poll(codes)).body.error).toBe('slow_down');
    expect((await fixture.allow(codes)).status).toBe(201);
    expect((await fixture.poll(codes)).status).toBe(200);
  });

  it('is denied by a person', async () => {
    const codes = await fixture.begin();
    const body = { userCode: codes.user_code };
    expect((await fixture.api('POST', '/device-logins/deny', body)).status).toBe(204);
    expect((await fixture.poll(codes)).body.error).toBe('access_denied');
    expect((await fixture.allow(codes)).status).toBe(409);
  });

  it('renews its tokens, and the former one serves what is under way', async () => {
    const { tokens } = await fixture.logIn();
    const renewed = await fixture.refresh(tokens.refresh_token);
    expect(renewed.status).toBe(200);
    expect(renewed.body.refresh_token).not.toBe(tokens.refresh_token);
    for (const token of [tokens.access_token, renewed.body.access_token ?? '']) {
      expect((await fixture.ask(token)).status).toBe(200);
    }
    // The reply was lost, or another process of the tool has kept the same token.
    expect((await fixture.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('is logged out in the console: its token stops, and it is sent to log in again', async () => {
    const { tokens, keyId } = await fixture.logIn();
    expect((await fixture.ask(tokens.access_token)).status).toBe(200);
    expect((await fixture.api('DELETE', `/keys/${keyId}`)).status).toBe(204);
    const refused = await untilRefused(tokens.access_token);
    expect(refused.headers.get('x-should-retry')).toBe('false');
    expect(await refused.json()).toMatchObject({
      type: 'error',
      error: { type: 'authentication_error', message: /log in again/ as never },
    });
    const renewed = await fixture.refresh(tokens.refresh_token);
    expect(renewed).toMatchObject({ status: 401, body: { error: 'invalid_grant' } });
  });

  it('logs itself out with either token', async () => {
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const { tokens } = await fixture.logIn();
      expect((await fixture.form('/oauth/revoke', { token: tokens[kind] })).status).toBe(200);
      await untilRefused(tokens.access_token);
      expect((await fixture.refresh(tokens.refresh_token)).status).toBe(401);
    }
    expect((await fixture.form('/oauth/revoke', { token: 'unknown' })).status).toBe(200);
  });
});

describe('a login of a person who leaves', () => {
  it('is refused within a second, and is not renewed', async () => {
    const { tokens } = await fixture.logIn();
    expect((await fixture.ask(tokens.access_token)).status).toBe(200);
    const setEnd = (end: string): Promise<unknown> =>
      fixture.pool.query(`update members set ended_at = ${end} where account_id = $1`, [
        fixture.accountId,
      ]);
    await setEnd('now()');
    await until('the token is refused', async () => {
      return (await fixture.ask(tokens.access_token)).status === 403;
    });
    expect((await fixture.refresh(tokens.refresh_token)).status).toBe(401);
    await setEnd('null');
  });

  it('is refused where the account loses the group', async () => {
    const { tokens } = await fixture.logIn();
    expect((await fixture.ask(tokens.access_token)).status).toBe(200);
    const setAccess = (access: string): Promise<Response> =>
      fixture.api('PATCH', `/groups/${fixture.groupId}`, { access });
    expect((await setAccess('chosen')).status).toBe(200);
    await until('the token is refused', async () => {
      return (await fixture.ask(tokens.access_token)).status === 403;
    });
    expect((await setAccess('public')).status).toBe(200);
  });
});

describe('a login that is attacked', () => {
  it('ends when its refresh token is used again later', async () => {
    const { tokens } = await fixture.logIn();
    const renewed = await fixture.refresh(tokens.refresh_token);
    await fixture.pool.query(
      `update device_login_tokens set used_at = used_at - interval '9 hours' where used_at is not null`,
    );
    const again = await fixture.refresh(tokens.refresh_token);
    expect(again).toMatchObject({ status: 401, body: { error: 'invalid_grant' } });
    await untilRefused(renewed.body.access_token ?? '');
    expect((await fixture.refresh(renewed.body.refresh_token ?? '')).status).toBe(401);
    expect(await audited()).toContain('refresh_token_used_twice');
  });

  it('ends when its device code is used twice', async () => {
    const codes = await fixture.begin();
    await fixture.allow(codes);
    const { body } = await fixture.poll(codes);
    expect(await fixture.poll(codes)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    await untilRefused(body.access_token ?? '');
    expect(await audited()).toContain('device_code_used_twice');
  });

  it('is allowed once, and not after its time', async () => {
    const codes = await fixture.begin();
    expect((await fixture.allow(codes)).status).toBe(201);
    expect((await fixture.allow(codes)).status).toBe(409);
    const late = await fixture.begin();
    await fixture.pool.query(
      `update device_logins set expires_at = now() - interval '1 second' where status = 'pending'`,
    );
    expect((await fixture.allow(late)).status).toBe(410);
    expect((await fixture.poll(late)).body.error).toBe('expired_token');
    expect(await audited()).toEqual(expect.arrayContaining(['answered_before', 'expired']));
  });

  it('is not allowed by a page of another site', async () => {
    const codes = await fixture.begin();
    const body = { userCode: codes.user_code, groupId: fixture.groupId, name: 'a trap' };
    const path = '/device-logins/allow';
    const crossSite = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const refused = await fixture.api('POST', path, body, crossSite);
    expect(refused.status).toBe(403);
    expect((await fixture.poll(codes)).body.error).toBe('authorization_pending');
    expect(await audited()).toContain('cross_site');
  });

  it('is not found by guessing: codes are refused after a few, right ones too', async () => {
    const codes = await fixture.begin();
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess += 1) {
      const userCode = `BCDF-GHJ${'BCDFGHJKLMNP'.charAt(guess)}`;
      statuses.push((await fixture.api('POST', '/device-logins/lookup', { userCode })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429, 429]);
    expect((await fixture.allow(codes)).status).toBe(429);
    expect((await audited()).filter((reason) => reason === 'unknown_code')).toHaveLength(10);
  });
});
