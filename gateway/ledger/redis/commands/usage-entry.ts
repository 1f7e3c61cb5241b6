/**
 * A settled record on its way to Postgres: an element of the argument of `apply_usage`
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

/**
 * The entry as JSON. The record is copied as text: parsing thousands per second only to serialise
 * them again would waste CPU.
 */
function usageEntryJson(entry: UsageEntry): string {
  const match = CHARGE.exec(entry.charge);
  if (match === null) throw new Error(`not a charge: "${entry.charge}"`);
  const [, settledAtMs = '', balance = '', uncollected = '', list = ''] = match;
  const subscriptions = list === '' ? '' : list.slice(1).split(';').map(subscriptionJson).join();
  return (
    `{"partition":${String(entry.partition)},"epoch":${String(entry.epoch)},"record":${entry.recordJson},` +
    `"charge":{"settledAtMs":${settledAtMs},"balanceNanoUsd":${balance},"uncollectedNanoUsd":${uncollected},` +
    `"subscriptions":[${subscriptions}]}}`
  );
}

/** The argument of `apply_usage` and `recover_usage`. Throws when a charge cannot be parsed. */
export function usageEntriesJson(entries: readonly UsageEntry[]): string {
  return `[${entries.map(usageEntryJson).join()}]`;
}
