import type { UpstreamHead } from './upstream-head.ts';

/** Says for the operator where a redirect leads; '' of other replies. */
export function redirectText({ redirect }: Pick<UpstreamHead, 'redirect'>): string {
  if (redirect === null) return '';
  const target = redirect === '' ? 'an address that is not named' : redirect;
  return `: the upstream redirects to ${target}, which is not followed. Set the base address to where it leads`;
}
