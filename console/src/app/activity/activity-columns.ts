import type { Column } from '../design/table/column';

/** The figures of the latest 24 hours, in lists of objects. */
export const ACTIVITY_COLUMNS = {
  requests: {
    ...{ id: 'requests', header: 'activity.requests', width: '4.75rem', align: 'end' },
    ...{ wideOnly: true, sort: '-requests' },
  },
  errors: {
    id: 'errors',
    header: 'activity.errors',
    width: '4.25rem',
    align: 'end',
    sort: '-errors',
  },
  firstByte: {
    ...{ id: 'firstByte', header: 'activity.firstByte', width: '4.5rem', align: 'end' },
    ...{ widestOnly: true, sort: '-firstByte' },
  },
  spend: {
    ...{ id: 'spend24', header: 'activity.spend', width: '5.25rem', align: 'end' },
    ...{ wideOnly: true, sort: '-spend' },
  },
  hours: { id: 'hours', header: 'activity.hours', width: '4.5rem', wideOnly: true },
} as const satisfies Record<string, Column>;
