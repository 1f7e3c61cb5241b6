/** The ends that the content of a request can have. Only with `kept` there is any. */
export const CONTENT_OUTCOMES = ['kept', 'queue_full', 'quota_reached'] as const;
export type ContentOutcome = (typeof CONTENT_OUTCOMES)[number];
