import * as Type from 'typebox';
import type { TSchema } from 'typebox';
import { BudgetScope } from '@weir/shared/money/budgets';
import { SignOnSlug } from '@weir/shared/people/sign-on';
import { closed, Id, Instant, Month, Serial } from '@weir/shared/api/wire-values';

/** Path parameters that are no UUIDs. */
const OTHER: Readonly<Record<string, TSchema>> = {
  month: Month,
  effectiveFrom: Instant,
  memberId: Serial,
  teamId: Serial,
  budgetScope: BudgetScope,
  signOnSlug: SignOnSlug,
};

/** The schema of a path's parameters: `:keyId` is an id unless it is named above. */
export function pathSchema(path: string): TSchema | undefined {
  const names = [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
  if (names.length === 0) return undefined;
  return closed(Object.fromEntries(names.map((name) => [name, OTHER[name] ?? Id])));
}

/** `/keys/:keyId` as OpenAPI writes it: `/keys/{keyId}`. */
export function openApiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/** A reply without a body. */
export const NoBody = Type.Null({ description: 'No body.' });
