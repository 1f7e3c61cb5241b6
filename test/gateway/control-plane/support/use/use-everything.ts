import { startFakeUpstream } from '../../../../support/upstreams/fake-upstream.ts';
import { startFakeSmtp } from '../fakes/fake-smtp.ts';
import { startFakeStripe, STRIPE_KEY, WEBHOOK_SECRET } from '../fakes/fake-stripe.ts';
import { createAdminFixture, PASSWORD, type AdminFixture } from '../fixture.ts';
import { useAlerts } from './use-alerts.ts';
import { useCatalog } from './use-catalog.ts';
import { useDeviceLogins } from '../use-device-logins.ts';
import { useMoney } from './use-money.ts';
import { usePeople } from './use-people.ts';
import { useRequests } from './use-requests.ts';
import { useSignOn } from '../use-sign-on.ts';
import { useUpstreams } from './use-upstreams.ts';
import type { Walk } from '../walk.ts';

function recording(fixture: AdminFixture, replies: Walk['replies']): AdminFixture {
  return {
    ...fixture,
    async ask(route, asking) {
      const answered = await fixture.ask(route, asking);
      const { status, headers, text } = answered;
      const reply = { status, contentType: String(headers['content-type']), text };
      replies.set(route, [...(replies.get(route) ?? []), reply]);
      return answered;
    },
  };
}

/** Uses every route of the admin API for what it is there for. */
export async function useEverything(): Promise<Walk> {
  const stripe = await startFakeStripe();
  const upstream = await startFakeUpstream();
  const smtp = await startFakeSmtp();
  const bare = await createAdminFixture({
    stripeAddress: stripe.address,
    config: {
      smtpUrl: smtp.url,
      stripeSecretKey: STRIPE_KEY,
      stripeWebhookSecret: WEBHOOK_SECRET,
    },
  });
  const replies: Walk['replies'] = new Map();
  const fixture = recording(bare, replies);
  const admin = await bare.admin();
  const secrets = new Map([
    ['session of an administrator', admin.cookie.split('=')[1] ?? ''],
    ['password', PASSWORD],
    ['Stripe key', STRIPE_KEY],
    ['webhook secret', WEBHOOK_SECRET],
  ]);
  const close = async (): Promise<void> => {
    await bare.close();
    await stripe.close();
    await upstream.close();
    smtp.close();
  };
  const walk = { fixture, admin, stripe, upstream, smtp, secrets, replies, close };
  await usePeople(walk);
  const catalog = await useCatalog(walk);
  await useDeviceLogins(walk, catalog);
  await useMoney(walk, catalog);
  await useRequests(walk, catalog);
  await useAlerts(walk);
  await useUpstreams(walk, catalog);
  await useSignOn(walk);
  return walk;
}
