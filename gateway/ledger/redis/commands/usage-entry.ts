/**
 * A settled record on its way to Postgres: an element of the argument of `enter_usage`
 * (stores/postgres/functions/usage.sql).
 */
export interface UsageEntry {
  /** Null without Redis. */
  readonly partition: number | null;
  readonly epoch: number | null;
  readonly recordJson: string;
  /**
   * "<settledAtMs>,<balanceNanoUsd>,<uncollectedNanoUsd>" and ";<id>,<startedAtMs>,<amountNanoUsd>"
   * per subscription.
   */
  readonly charge: string;
}

const CHARGE = /^(\d+),(\d+),(\d+)((?:;[0-9a-f-]+,\d+,\d+)*)$/;

/**
 * The records of one stream entry: pairs of the fields `r` and `c` with their values
 * (lua/settle.lua).
 */
export function usageEntriesOf(
  partition: number,
  epoch: number | null,
  fields: readonly string[],
): UsageEntry[] {
  const entries: UsageEntry[] = [];
  for (let at = 0; at + 3 < fields.length; at += 4) {
    const [recordJson = '', charge = ''] = [fields[at + 1], fields[at + 3]];
    entries.push({ partition, epoch, recordJson, charge });
  }
  return entries;
}

function subscriptionJson(part: string): string {
  const [id = '', startedAtMs = '', amountNanoUsd = ''] = part.split(',');
  return `{"id":"${id}","startedAtMs":${startedAtMs},"amountNanoUsd":${amountNanoUsd}}`;
}

/** The record or the charge of an entry is not what the ledger wrote. */
export class MalformedUsage extends Error {}

/**
 * One object with the members of record and charge. The record is copied as text: parsing thousands
 * per second only to serialise them again would waste CPU.
 */
function usageEntryJson(entry: UsageEntry): string {
  if (!entry.recordJson.endsWith('}')) throw new MalformedUsage('the record is cut off');
  const match = CHARGE.exec(entry.charge);
  if (match === null) throw new MalformedUsage(`not a charge: "${entry.charge}"`);
  const [, settledAtMs = '', balance = '', uncollected = '', list = ''] = match;
  const subscriptions = list === '' ? '' : list.slice(1).split(';').map(subscriptionJson).join();
  return (
    `${entry.recordJson.slice(0, -1)},"partition":${String(entry.partition)},"epoch":${String(entry.epoch)},` +
    `"settledAtMs":${settledAtMs},"balanceNanoUsd":${balance},"uncollectedNanoUsd":${uncollected},` +
    `"subscriptions":[${subscriptions}]}`
  );
}

/**
 * The argument of `enter_usage`. Throws `MalformedUsage` when a record or charge is not whole.
 */
export function usageEntriesJson(entries: readonly UsageEntry[]): string {
  return `[${entries.map(usageEntryJson).join()}]`;
}
