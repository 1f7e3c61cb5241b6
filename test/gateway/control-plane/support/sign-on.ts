import type { SignOnFlowCreate, SignOnProviderCreate } from '@weir/shared/people/sign-on';
import { CLIENT_ID, CLIENT_SECRET } from '../../../support/identity/identity-provider.ts';
import { sessionCookie, type AdminFixture, type Person } from './fixture.ts';

/** The address of the console that fixtures have. */
const CONSOLE_URL = 'http://console.test';

export function callbackOf(slug: string): string {
  return `${CONSOLE_URL}/sign-on/${slug}/callback`;
}

/** A provider as an operator adds it. */
export async function addProvider(
  fixture: AdminFixture,
  admin: Person,
  provider: Partial<SignOnProviderCreate> & { readonly slug: string; readonly issuer: string },
) {
  const { reply } = await fixture.ask('createSignOnProvider', {
    as: admin,
    body: {
      preset: 'oidc',
      name: provider.slug,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      scopes: 'openid email groups',
      allowPrivate: true,
      ...provider,
    },
  });
  return reply;
}

/** A browser at the log-in page: it keeps the cookie that binds sign-ons to it. */
export class SignOnBrowser {
  readonly #fixture: AdminFixture;
  cookie = '';

  constructor(fixture: AdminFixture) {
    this.#fixture = fixture;
  }

  /** Begins a sign-on. Returns the address at the provider. */
  async begin(flow: SignOnFlowCreate): Promise<URL> {
    const begun = await this.#fixture.ask('beginSignOn', {
      body: flow,
      headers: { cookie: this.cookie },
    });
    this.cookie = sessionCookie(begun.headers['set-cookie']);
    return new URL(begun.reply.url);
  }

  /** Begins to link an identity to the login of a person. */
  async beginLink(person: Person, slug: string): Promise<URL> {
    const begun = await this.#fixture.ask('beginIdentityLink', {
      as: person,
      body: { provider: slug },
    });
    this.cookie = `${person.cookie}; ${sessionCookie(begun.headers['set-cookie'])}`;
    return new URL(begun.reply.url);
  }

  /** Comes back from a provider. */
  finish(slug: string, callback: URL) {
    const query = callback.search.slice(1);
    const headers = { cookie: this.cookie };
    return this.#fixture.ask('finishSignOn', { body: { provider: slug, query }, headers });
  }

  /** The person whom the session of a reply is of. */
  async personOf(answered: { readonly headers: Readonly<Record<string, unknown>> }) {
    const cookie = sessionCookie(answered.headers['set-cookie']);
    const { reply } = await this.#fixture.ask('getPresence', { headers: { cookie } });
    if (reply.user === null || reply.membership === null) throw new Error('no one is logged in');
    const { id: userId, accountId, email } = reply.user;
    const person: Person = { userId, accountId, email, cookie };
    return { person, membership: reply.membership, memberships: reply.memberships };
  }
}

/** Reasons of refused sign-ons in the audit log, oldest first. */
export async function refusedReasons({ pool }: AdminFixture): Promise<string[]> {
  const { rows } = await pool.query<{ reason: string }>(
    `select after ->> 'refused' as reason from audit_entries where after ? 'refused' order by id`,
  );
  return rows.map(({ reason }) => reason);
}
