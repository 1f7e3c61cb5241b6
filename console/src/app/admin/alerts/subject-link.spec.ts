import { ALERT_KINDS } from '@weir/shared/watch/alerts';
import { expect, it } from 'vitest';
import { subjectLink } from './subject-link';

const CHANNEL = '01a1fd85-7715-7fed-a767-b935f6226f94';

it('leads from a channel that fails to the requests that failed there', () => {
  expect(subjectLink('channel_failing', CHANNEL, null)).toEqual({
    path: '/admin/requests',
    query: { outcome: 'failed', channel: CHANNEL, range: 'hour' },
  });
  expect(subjectLink('error_rate', 'requests', '2026-03-04T12:00:00.000Z')?.query).toEqual({
    outcome: 'failed',
    from: '2026-03-04T11:00:00.000Z',
    to: '2026-03-04T12:05:00.000Z',
  });
});

it.each(ALERT_KINDS)('leads somewhere from an alert of %s', (kind) => {
  expect(subjectLink(kind, CHANNEL, null)?.path).toMatch(/^\/admin\//);
});

it('leads nowhere from a test, or once the rule is deleted', () => {
  expect(subjectLink(null, CHANNEL, null)).toBeNull();
});
