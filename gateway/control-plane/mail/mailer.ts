import type { Readable } from 'node:stream';
import type { Transporter } from 'nodemailer';
import type { Logger } from 'pino';

/** A file of a mail. It is read when a server takes the mail. */
export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly read: () => Readable;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The link in the mail, which is logged for the operator when there is no SMTP. */
  readonly link: string | null;
  readonly attachments?: readonly MailAttachment[];
}

export interface Mailer {
  readonly configured: boolean;
  /** Returns at once: whether an address exists must not show in how long an answer takes. */
  send(mail: Mail): void;
  /**
   * For a job that has many to send: waits for a place among the mails under way, until `untilMs`
   * of `performance.now()`. One caller at a time.
   */
  sendInTurn(mail: Mail, untilMs: number): Promise<void>;
  /**
   * Makes one attempt, and rejects when it fails: for callers that keep the mail and try again
   * themselves.
   */
  deliver(mail: Mail): Promise<void>;
  /** Waits for mails under way. */
  close(): Promise<void>;
}

const TRIES_MAX = 3;
const TRY_AGAIN_MS = 5_000;
const TIMEOUT_MS = 15_000;
/**
 * Mails under way at once; beyond it a mail is dropped and logged, because a flood must not fill
 * the memory.
 */
const UNDER_WAY_MAX = 200;

interface MailerOptions {
  readonly smtpUrl: string | null;
  readonly from: string;
  readonly logger: Logger;
  readonly tryAgainMs?: number;
  readonly underWayMax?: number;
}

class SmtpMailer implements Mailer {
  readonly configured = true;
  readonly #transport: Transporter;
  readonly #options: MailerOptions;
  readonly #underWay = new Set<Promise<void>>();
  #closed = false;
  #placeIsFree: () => void = () => undefined;

  constructor(transport: Transporter, options: MailerOptions) {
    this.#options = options;
    this.#transport = transport;
    // Of what concerns no single mail, such as a token that cannot be renewed. Without a listener
    // it would end the process.
    transport.on('error', (error) => {
      options.logger.warn({ err: error }, 'the connection to the SMTP server failed');
    });
  }

  send(mail: Mail): void {
    if (this.#isFull()) {
      this.#options.logger.error({ subject: mail.subject }, 'mail dropped: too many under way');
      return;
    }
    const delivery = this.#deliverWithRetries(mail).finally(() => {
      this.#underWay.delete(delivery);
      this.#placeIsFree();
    });
    this.#underWay.add(delivery);
  }

  async sendInTurn(mail: Mail, untilMs: number): Promise<void> {
    if (this.#isFull()) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.max(0, untilMs - performance.now()));
        this.#placeIsFree = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.send(mail);
  }

  async deliver({ to, subject, text, attachments = [] }: Mail): Promise<void> {
    await this.#transport.sendMail({
      to,
      subject,
      text,
      attachments: attachments.map(({ read, ...named }) => ({ ...named, content: read() })),
    });
  }

  #isFull(): boolean {
    return this.#underWay.size >= (this.#options.underWayMax ?? UNDER_WAY_MAX);
  }

  async #deliverWithRetries(mail: Mail): Promise<void> {
    for (let attempt = 1; attempt <= TRIES_MAX; attempt += 1) {
      try {
        await this.deliver(mail);
        return;
      } catch (error) {
        this.#options.logger.warn(
          { err: error, attempt, subject: mail.subject },
          'mail not delivered',
        );
        if (attempt === TRIES_MAX || this.#closed) return;
        await new Promise((resolve) => {
          setTimeout(resolve, this.#options.tryAgainMs ?? TRY_AGAIN_MS).unref();
        });
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#underWay);
    this.#transport.close();
  }
}

/** Without SMTP the operator finds the link in the log and hands it on. */
function loggingMailer(logger: Logger): Mailer {
  const send = ({ to, subject, link }: Mail): void => {
    logger.warn({ to, subject, link }, 'SMTP_URL is not set: deliver this link yourself');
  };
  return {
    configured: false,
    send,
    sendInTurn: (mail) => {
      send(mail);
      return Promise.resolve();
    },
    deliver: () => Promise.reject(new Error('SMTP_URL is not set')),
    close: () => Promise.resolve(),
  };
}

/** Nodemailer is read only where there is an SMTP server. */
export async function openMailer(options: MailerOptions): Promise<Mailer> {
  const { smtpUrl, from, logger } = options;
  if (smtpUrl === null) return loggingMailer(logger);
  const url = new URL(smtpUrl);
  // Nodemailer reads further options from the query; without time-outs a dead server would hold
  // mails for minutes.
  for (const name of ['connectionTimeout', 'greetingTimeout', 'socketTimeout']) {
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(TIMEOUT_MS));
  }
  const { createTransport } = await import('nodemailer');
  return new SmtpMailer(createTransport(url.href, { from }), options);
}
