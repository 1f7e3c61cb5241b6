import { Readable } from 'node:stream';
import { orderFile } from '../orders/order-file.ts';
import { creditFile } from '../credits/credit-file.ts';
import type { AdminContext } from '../api/context.ts';
import type { MailAttachment } from '../mail/mailer.ts';
import { readSettings } from '../settings/read-settings.ts';
import { monthFile } from './month-file.ts';
import type { MonthPeriod } from './month-period.ts';

/** Mail servers refuse more than some 20 MB, and an attachment grows by a third on its way. */
const FILE_BYTES_MAX = 8_000_000;

export interface MonthMail {
  readonly subject: string;
  readonly text: string;
  readonly attachments: readonly MailAttachment[];
  /** True once a server was given a part of it: from then on it may have arrived. */
  readonly hasBegun: () => boolean;
}

/** The whole file, or undefined when it is too large for a mail. */
async function gather(file: AsyncGenerator<string>, bytesMax: number): Promise<string | undefined> {
  const parts: string[] = [];
  let bytes = 0;
  for await (const part of file) {
    bytes += Buffer.byteLength(part);
    if (bytes > bytesMax) return undefined;
    parts.push(part);
  }
  return parts.join('');
}

/** Writes the mail with the files of a month: orders paid in it, credits, and sums per customer. */
export async function writeMonthMail(
  { pool, consoleUrl }: Pick<AdminContext, 'pool' | 'consoleUrl'>,
  period: MonthPeriod,
): Promise<MonthMail> {
  const { month, timeZone } = period;
  const [from, to] = [period.from.toISOString(), period.to.toISOString()];
  const files = {
    [`weir-customers-${month}.csv`]: monthFile(pool, period),
    [`weir-orders-${month}.csv`]: orderFile(pool, { paidFrom: from, paidTo: to }),
    [`weir-credits-${month}.csv`]: creditFile(pool, { from, to }),
  };
  let begun = false;
  let bytesLeft = FILE_BYTES_MAX;
  const attachments: MailAttachment[] = [];
  const leftOut: string[] = [];
  for (const [filename, file] of Object.entries(files)) {
    const content = await gather(file, bytesLeft);
    if (content === undefined) {
      leftOut.push(filename);
      continue;
    }
    bytesLeft -= Buffer.byteLength(content);
    const read = (): Readable =>
      Readable.from(
        (function* () {
          begun = true;
          yield content;
        })(),
      );
    attachments.push({ filename, contentType: 'text/csv; charset=utf-8', read });
  }
  const site = (await readSettings(pool)).siteName.replace(/[\r\n]+/g, ' ');
  const page = `${consoleUrl}/admin/accounting?month=${month}`;
  const missing =
    leftOut.length === 0 ? '' : `\nToo large for a mail: ${leftOut.join(', ')}. Export them here:`;
  return {
    subject: `${site}: accounting of ${month}`,
    text: `The files of ${site} for ${month} (time zone ${timeZone}) are attached: sums per customer, orders paid in the month, and credits.\n${missing}\n${page}\n`,
    attachments,
    hasBegun: () => begun,
  };
}
