import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { until } from '../../../../support/clocks/hang.ts';

export interface FakeSmtp {
  /** For SMTP_URL. */
  readonly url: string;
  /** The mails that were delivered, whole. */
  readonly delivered: string[];
  /** Number of deliveries that are refused before one is accepted. */
  refusals: number;
  /** The reaction to a mail that was handed over whole. */
  afterMail: 'confirm' | 'say nothing' | 'hang up';
  /**
   * Waits for the next mail to this address that was not taken yet, and answers the secret of its
   * link.
   */
  takeToken(to: string): Promise<string>;
  close(): void;
}

/** The text of a mail, whichever way its lines are encoded. */
function decoded(mail: string): string {
  const plain = mail.replace(/=\r\n/g, '').replace(/=3D/g, '=');
  const body = plain.split('\r\n\r\n')[1]?.replace(/\s/g, '') ?? '';
  return plain + Buffer.from(body, 'base64').toString();
}

/** Returns the text of a mail, as far as nodemailer encodes it. */
export function textOfMail(mail: string | undefined): string {
  const [head = '', ...parts] = (mail ?? '').split('\r\n\r\n');
  const body = parts.join('\r\n\r\n');
  if (/Content-Transfer-Encoding: base64/i.test(head)) {
    return Buffer.from(body, 'base64').toString();
  }
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/** Speaks as much of SMTP (RFC 5321) as a client needs to deliver a mail. */
function speak(socket: Socket, fake: FakeSmtp): void {
  let taking = false;
  let mail = '';
  socket.on('error', () => undefined);
  socket.write('220 mail.test\r\n');
  socket.setEncoding('utf8').on('data', (text: string) => {
    if (taking) {
      mail += text;
      if (!mail.endsWith('\r\n.\r\n')) return;
      taking = false;
      fake.delivered.push(mail);
      mail = '';
      if (fake.afterMail === 'hang up') socket.destroy();
      if (fake.afterMail === 'confirm') socket.write('250 taken\r\n');
      return;
    }
    const [verb = ''] = text.trim().split(/[ :]/);
    if (verb.toUpperCase() === 'MAIL' && fake.refusals > 0) {
      fake.refusals -= 1;
      socket.write('451 later\r\n');
    } else if (verb.toUpperCase() === 'DATA') {
      taking = true;
      socket.write('354 go on\r\n');
    } else if (verb.toUpperCase() === 'QUIT') socket.end('221 bye\r\n');
    else socket.write('250 fine\r\n');
  });
}

/** A mail server on 127.0.0.1 that keeps what it gets. */
export async function startFakeSmtp(): Promise<FakeSmtp> {
  const taken = new Set<string>();
  const server = createServer((socket) => speak(socket, fake));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const fake: FakeSmtp = {
    url: `smtp://127.0.0.1:${String(port)}?ignoreTLS=true`,
    delivered: [],
    refusals: 0,
    afterMail: 'confirm',
    async takeToken(to) {
      return until(`a mail with a link to ${to}`, () => {
        for (const mail of fake.delivered) {
          if (!mail.includes(`To: ${to}`) || taken.has(mail)) continue;
          const token = /#token=([\w-]{43})/.exec(decoded(mail))?.[1];
          if (token === undefined) continue;
          taken.add(mail);
          return token;
        }
        return undefined;
      });
    },
    close: () => void server.close(),
  };
  return fake;
}
