import { createPrivateKey } from 'node:crypto';
import { isJsonObject, stringOf, type JsonObject } from '../../../platform/json/json-value.ts';
import type { Mint } from '../../minting.ts';
import { mintByImpersonation } from './impersonation.ts';
import { mintFromKey, readTokenReply } from './service-account.ts';

/** A credential file of Google, checked. */
export interface CredentialFile {
  /** The members that are used: what is kept. */
  readonly members: JsonObject;
  /** Identifies it and discloses nothing. */
  readonly hint: string;
  readonly mint: Mint;
}

type Read = (file: JsonObject) => CredentialFile | string;

/** Whose token may be exchanged for that of another account. */
const CALLERS: Readonly<Record<string, Read>> = {
  service_account: readServiceAccount,
  authorized_user: readAuthorizedUser,
};

const TOKEN_URI = 'https://oauth2.googleapis.com/token';
const KEY_ID_CHARACTERS = 8;

/** By `type`: what "application default credentials" may be (google.aip.dev/auth/4110). */
const FILES: Readonly<Record<string, Read>> = {
  service_account: readServiceAccount,
  authorized_user: readAuthorizedUser,
  impersonated_service_account: readImpersonated,
  external_account: readExternalAccount,
};

/** Returns what a JSON text is, or what is wrong with it. */
export function readCredentialFile(text: string): CredentialFile | string {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return 'The credential begins like a JSON file and is none. Paste the whole file.';
  }
  const read = isJsonObject(file) ? FILES[stringOf(file['type'])] : undefined;
  if (!isJsonObject(file) || read === undefined) {
    return `The JSON file is no credential of Google. Its "type" is one of ${Object.keys(FILES).join(', ')}.`;
  }
  return read(file);
}

function readServiceAccount(file: JsonObject): CredentialFile | string {
  const key = {
    client_email: stringOf(file['client_email']),
    private_key: stringOf(file['private_key']),
    private_key_id: stringOf(file['private_key_id']),
    token_uri: stringOf(file['token_uri']) || TOKEN_URI,
  };
  if (key.client_email === '') return 'The key file has no "client_email". Paste the whole file.';
  if (!isRsaKey(key.private_key)) {
    return 'The "private_key" of the key file is no RSA key. Paste the whole file as it was downloaded.';
  }
  if (!isWebAddress(key.token_uri)) return 'The "token_uri" of the key file is no address.';
  return {
    members: { type: 'service_account', ...key },
    hint: `${key.client_email} ${key.private_key_id.slice(0, KEY_ID_CHARACTERS)}`.trim(),
    mint: mintFromKey(key),
  };
}

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

function readAuthorizedUser(file: JsonObject): CredentialFile | string {
  const user = {
    client_id: stringOf(file['client_id']),
    client_secret: stringOf(file['client_secret']),
    refresh_token: stringOf(file['refresh_token']),
    token_uri: stringOf(file['token_uri']) || TOKEN_URI,
  };
  const missing = Object.entries(user).find(([, value]) => value === '');
  if (missing !== undefined) return `The file has no "${missing[0]}". Paste the whole file.`;
  if (!isWebAddress(user.token_uri)) return 'The "token_uri" of the file is no address.';
  const members = { type: 'authorized_user', ...user };
  return { members, hint: `authorized_user ${user.client_id}`, mint: mintFromRefreshToken(user) };
}

/** What `gcloud auth application-default login` writes, as far as it is used. */
interface AuthorizedUser {
  readonly client_id: string;
  readonly client_secret: string;
  readonly refresh_token: string;
  readonly token_uri: string;
}

/** Exchanges a refresh token (RFC 6749, 6). */
function mintFromRefreshToken(user: AuthorizedUser): Mint {
  const { token_uri: url, ...fields } = user;
  return async ({ ask }) => {
    const reply = await ask({ url, form: { grant_type: 'refresh_token', ...fields } });
    return 'failed' in reply ? reply : readTokenReply(reply, 'The token endpoint');
  };
}

function readImpersonated(file: JsonObject): CredentialFile | string {
  const { source_credentials: source, service_account_impersonation_url: url } = file;
  if (!isJsonObject(source)) return 'The file has no "source_credentials". Paste the whole file.';
  if (!isGoogle(url)) return notGoogle('service_account_impersonation_url');
  const caller = CALLERS[stringOf(source['type'])]?.(source);
  if (caller === undefined) {
    return `The "source_credentials" of the file are of another type than ${Object.keys(CALLERS).join(', ')}.`;
  }
  if (typeof caller === 'string') return caller;
  const target = /serviceAccounts\/([^:]+):/.exec(url)?.[1] ?? '';
  return {
    members: {
      type: 'impersonated_service_account',
      service_account_impersonation_url: url,
      source_credentials: caller.members,
    },
    hint: `${target} by ${caller.hint}`,
    mint: mintByImpersonation(caller.mint, url),
  };
}

/**
 * Its source is a file or an address that this machine reads for an administrator: so
 * what it reads goes to Google alone, and no program is run.
 */
function readExternalAccount(file: JsonObject): CredentialFile | string {
  const { credential_source: source, token_url: tokenUrl, audience } = file;
  const { service_account_impersonation_url: impersonation } = file;
  if (!isJsonObject(source)) return 'The file has no "credential_source". Paste the whole file.';
  if ('executable' in source) {
    return 'A "credential_source" with an "executable" is not run. Use one with a file, a URL or AWS.';
  }
  if (!isGoogle(tokenUrl)) return notGoogle('token_url');
  if (impersonation !== undefined && !isGoogle(impersonation)) {
    return notGoogle('service_account_impersonation_url');
  }
  const name = stringOf(audience).split('/').slice(-3).join('/');
  const mint: Mint = async () => {
    // The library is loaded by the main thread alone, and only where it is used.
    const { mintByFederation } = await import('./federation.ts');
    return mintByFederation(file);
  };
  return { members: file, hint: `external_account ${name}`, mint };
}

function notGoogle(member: string): string {
  return `The "${member}" of the file is no https address of googleapis.com.`;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Loopback is for emulators: what goes there stays on this machine. */
function isGoogle(address: unknown): address is string {
  if (typeof address !== 'string' || !URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  if (hostname === '127.0.0.1') return true;
  return protocol === 'https:' && /(?:^|\.)googleapis\.com$/.test(hostname);
}
