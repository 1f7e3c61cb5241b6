import { keyPrefix, wholeKeyIn } from '@weir/shared/people/key-text';
import type { Api } from '../../../core/api/api';

/**
 * What a list of keys is searched for. A whole key, such as one that was found in a public
 * repository, is looked up in the body of a request, and the list by the prefix of the key that it
 * is a value of: addresses are written into logs.
 */
export async function findableText(api: Pick<Api, 'call'>, sought: string): Promise<string> {
  const key = wholeKeyIn(sought);
  if (key === undefined) return sought;
  const { data } = await api.call('search', { body: { text: key } });
  return data.find(({ kind }) => kind === 'key')?.find ?? keyPrefix(key);
}
