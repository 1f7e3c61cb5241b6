import { redactSecrets } from '@weir/shared/redact-secrets';
import { causeOf } from '../../platform/errors/cause-of.ts';
import { unseal } from '../../platform/secrets/secrets.ts';
import type { AdminContext } from '../api/context.ts';
import { DELIVERY_COLUMNS, type Delivery } from './delivery-row.ts';
import { postChat } from './post-chat.ts';
import { postWebhook } from './post-webhook.ts';

/** Taken at once and sent side by side: with a server that is silent a run lasts one time-out. */
const BATCH = 8;
/** A run goes on with the next batch so long, unless one failed. */
const RUN_MS_MAX = 10_000;
const ATTEMPTS_MAX = 12;
/** After the first failure; doubled by each. Twelve attempts take about five hours. */
const RETRY_SECONDS = 30;
const RETRY_SECONDS_MAX = 3_600;
const ERROR_CHARACTERS_MAX = 500;

/**
 * Counts the attempt before it is made: a process that dies meanwhile must not repeat it at once
 * and for ever.
 */
const CLAIM = `
  update deliveries set attempts = attempts + 1,
    due_at = now() + make_interval(secs => least($3, $2 * power(2, attempts)))
  where id in (
    select id from deliveries where status = 'pending' and (via = 'mail') = $1 and due_at <= now()
    order by due_at limit $4 for update skip locked)
  returning ${DELIVERY_COLUMNS}`;

const SENT = `
  update deliveries set status = 'sent', error = null, sent_at = now() where id = $1`;
const FAILED = 'update deliveries set status = $2, error = $3 where id = $1';

const TARGET = `
  select sealed, chat_id as "chatId", allow_private as "allowPrivate", status from alert_targets where id = $1`;

/** No further attempt can succeed. */
class Hopeless extends Error {}

interface TargetRow {
  readonly sealed: string | null;
  readonly chatId: string | null;
  readonly allowPrivate: boolean;
  readonly status: 'active' | 'disabled';
}

/** The sealed part of a webhook: anyone who knows the address can often post to it. */
interface WebhookSecrets {
  readonly url: string;
  /** The key of signatures; null for a chat whose bot checks no signature. */
  readonly secret: string | null;
}

export function unsealWebhook(context: AdminContext, sealed: string): WebhookSecrets {
  return JSON.parse(unseal(context.secrets, sealed)) as WebhookSecrets;
}

async function targetOf(
  context: AdminContext,
  { targetId }: Delivery,
): Promise<TargetRow | undefined> {
  return (await context.pool.query<TargetRow>(TARGET, [targetId])).rows[0];
}

async function hand(context: AdminContext, delivery: Delivery): Promise<void> {
  const { mailer, config } = context;
  const target = delivery.eventId === null ? undefined : await targetOf(context, delivery);
  if (delivery.eventId !== null && target === undefined) {
    throw new Hopeless('The target was deleted.');
  }
  if (delivery.via === 'mail') {
    if (!mailer.configured) throw new Hopeless('SMTP_URL is not set.');
    const { address: to, subject, body: text } = delivery;
    await mailer.deliver({ to, subject, text, link: null });
    return;
  }
  if (target?.sealed == null) throw new Hopeless('The target is no webhook.');
  const { url, secret } = unsealWebhook(context, target.sealed);
  const { id, via, body } = delivery;
  const allowPrivate = target.allowPrivate || config.allowPrivateUpstreams;
  if (via === 'webhook') {
    if (secret === null) throw new Hopeless('The webhook has no secret.');
    await postWebhook({ url, secret, id, body, allowPrivate });
    return;
  }
  const address = { url, signingSecret: secret, chatId: target.chatId };
  await postChat({ kind: via, address, text: body, allowPrivate });
}

/** Makes one attempt and notes how it ended. Returns why it failed, undefined when it arrived. */
export async function attemptDelivery(
  context: AdminContext,
  delivery: Delivery,
  attemptsMax: number = ATTEMPTS_MAX,
): Promise<string | undefined> {
  const { pool, logger } = context;
  try {
    await hand(context, delivery);
  } catch (error) {
    const reason = redactSecrets(causeOf(error)).slice(0, ERROR_CHARACTERS_MAX);
    const isLast = error instanceof Hopeless || delivery.attempts >= attemptsMax;
    await pool.query(FAILED, [delivery.id, isLast ? 'failed' : 'pending', reason]);
    const details = { deliveryId: delivery.id, via: delivery.via, attempt: delivery.attempts };
    if (isLast) logger.error({ ...details, reason }, 'a message was given up');
    else logger.warn({ ...details, reason }, 'a message was not delivered; it will be sent again');
    return reason;
  }
  await pool.query(SENT, [delivery.id]);
  return undefined;
}

async function sendDue(context: AdminContext, isMail: boolean): Promise<void> {
  const untilMs = performance.now() + RUN_MS_MAX;
  for (;;) {
    const { rows } = await context.pool.query<Delivery>(CLAIM, [
      isMail,
      RETRY_SECONDS,
      RETRY_SECONDS_MAX,
      BATCH,
    ]);
    const failures = await Promise.all(rows.map((row) => attemptDelivery(context, row)));
    const goesOn = rows.length === BATCH && failures.every((failure) => failure === undefined);
    if (!goesOn || performance.now() > untilMs) return;
  }
}

/** Sends what is due. Mails do not wait for webhooks and chats: either server may be away. */
export async function sendDeliveries(context: AdminContext): Promise<void> {
  await Promise.all([sendDue(context, true), sendDue(context, false)]);
}
