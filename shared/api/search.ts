import * as Type from 'typebox';
import type { Static } from 'typebox';
import { choice, closed, Id, nullable, TEXT_KIND } from './wire-values.ts';

export const SEARCH_TEXT_CHARACTERS_MIN = 2;
/** A key of the greatest length, and the line that it was found in. */
export const SEARCH_TEXT_CHARACTERS_MAX = 400;
/** Results of each kind at most. */
export const SEARCH_HITS_MAX = 5;

export const SearchCreate = closed({
  text: Type.String({
    minLength: SEARCH_TEXT_CHARACTERS_MIN,
    maxLength: SEARCH_TEXT_CHARACTERS_MAX,
    writeOnly: true,
    [TEXT_KIND]: 'opaque',
  }),
});
export type SearchCreate = Static<typeof SearchCreate>;

export const SEARCH_KINDS = [
  'account',
  'key',
  'model',
  'channel',
  'order',
  'code',
  'invitation',
  'request',
  'record',
] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

export const SearchHit = closed({
  kind: choice(SEARCH_KINDS),
  /** The id of the result; for a redemption code, its batch's. */
  id: Id,
  title: Type.String(),
  /** The owner, or a distinguishing detail; may be empty. */
  detail: Type.String(),
  /** The text that finds it in its list; may be empty. */
  find: Type.String(),
  /** The account that it belongs to; null for objects of no account. */
  accountId: nullable(Id),
});
export type SearchHit = Static<typeof SearchHit>;

export const SearchResults = closed({ data: Type.Array(SearchHit) });
export type SearchResults = Static<typeof SearchResults>;
