import type { RouteId } from '@weir/shared/api/admin-routes';
import type { FakeUpstream } from '../../../support/upstreams/fake-upstream.ts';
import type { FakeSmtp } from './fakes/fake-smtp.ts';
import type { FakeStripe } from './fakes/fake-stripe.ts';
import { sessionCookie, type AdminFixture, type Person } from './fixture.ts';

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** A fixture on which everything that is asked is kept, with all that the admin API talks to. */
export interface Walk {
  readonly fixture: AdminFixture;
  readonly admin: Person;
  readonly stripe: FakeStripe;
  readonly upstream: FakeUpstream;
  readonly smtp: FakeSmtp;
  /** Everything that nobody may find, by what it is. */
  readonly secrets: Map<string, string>;
  /** Every reply of every route. */
  readonly replies: Map<RouteId, Reply[]>;
  close(): Promise<void>;
}

/** Logs in as people do, and keeps the session's secret. */
export async function logIn(walk: Walk, email: string, password: string): Promise<Person> {
  const { reply, headers } = await walk.fixture.ask('logIn', { body: { email, password } });
  const cookie = sessionCookie(headers['set-cookie']);
  walk.secrets.set(`session ${String(walk.secrets.size)}`, cookie.split('=')[1] ?? '');
  return { userId: reply.user.id, accountId: reply.user.accountId, email, cookie };
}
