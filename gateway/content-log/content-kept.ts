/**
 * SQL of the time from which content of a key `k` is kept: what is older is neither shown nor
 * entered, and the next clean-up deletes it.
 * @param daysMax SQL of CONTENT_LOG_DAYS_MAX
 */
export function contentKeptSince(daysMax: string): string {
  return `greatest(k.content_erased_before, now() - make_interval(days => least(k.content_log_days, ${daysMax})))`;
}
