import { isJsonObject, stringOf } from '../../platform/json/json-value.ts';

/** An access key of AWS, with which requests are signed. */
export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of temporary credentials alone. */
  readonly sessionToken: string | undefined;
  /** The region to sign for; undefined: the one that the channel's address names. */
  readonly region: string | undefined;
}

/**
 * `AKIA…:secret`, with `:token` behind it for temporary credentials, and `@region` at the end for
 * an address that names no region. Neither secrets nor tokens have a colon or an @.
 */
const ACCESS_KEY =
  /^(?<id>[A-Z0-9]{16,128}):(?<secret>[^\s:@]+)(?::(?<token>[^\s:@]+))?(?:@(?<region>[a-z]{2,}(?:-[a-z0-9]+)+))?$/;

/**
 * Reads the text of a credential; undefined where it is no access key, and so an API key of
 * Bedrock. The JSON of `aws sts` and of `aws configure export-credentials` is read as well.
 */
export function readAccessKey(text: string): AccessKey | undefined {
  if (text.startsWith('{')) return readJson(text);
  const groups = ACCESS_KEY.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { id = '', secret = '', token, region } = groups;
  return { accessKeyId: id, secretAccessKey: secret, sessionToken: token, region };
}

function readJson(text: string): AccessKey | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { Credentials: inner, Region: region } = value;
  const keys = isJsonObject(inner) ? inner : value;
  const accessKeyId = stringOf(keys['AccessKeyId']);
  const secretAccessKey = stringOf(keys['SecretAccessKey']);
  if (accessKeyId === '' || secretAccessKey === '') return undefined;
  const sessionToken = stringOf(keys['SessionToken']) || undefined;
  return { accessKeyId, secretAccessKey, sessionToken, region: stringOf(region) || undefined };
}
