import { DEVICE_GRANT, oauthError, type LoginTask, type OAuthReply } from './login-task.ts';

const NAME_CHARACTERS_MAX = 64;
/** Names of tools and devices are shown to the person who decides: nothing that could mislead. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._@()-]*$/u;
const UNNAMED_TOOL = 'command-line tool';

/** Reads the form of a login's path: the task, or the tool's error. Other fields are ignored. */
export function readLoginForm(
  page: 'authorize' | 'token' | 'revoke',
  body: string,
  address: string,
): LoginTask | OAuthReply {
  const form = new URLSearchParams(body);
  if (page === 'authorize') {
    const tool = readName(form.get('surface')) || readName(form.get('client_id'));
    const device = readName(form.get('device_name'));
    return { kind: 'authorize', tool: tool || UNNAMED_TOOL, device, address };
  }
  if (page === 'revoke') {
    const token = form.get('token') ?? '';
    return token === '' ? missing('token') : { kind: 'revoke', token, address };
  }
  switch (form.get('grant_type')) {
    case DEVICE_GRANT: {
      const deviceCode = form.get('device_code') ?? '';
      return deviceCode === '' ? missing('device_code') : { kind: 'poll', deviceCode, address };
    }
    case 'refresh_token': {
      const refreshToken = form.get('refresh_token') ?? '';
      return refreshToken === ''
        ? missing('refresh_token')
        : { kind: 'refresh', refreshToken, address };
    }
    case null:
      return missing('grant_type');
    default:
      return oauthError(
        'unsupported_grant_type',
        `The grant type is ${DEVICE_GRANT} or refresh_token.`,
      );
  }
}

function missing(field: string): OAuthReply {
  return oauthError('invalid_request', `The form field "${field}" is missing.`);
}

/** A name as it was sent, '' for none and for what is none. */
function readName(sent: string | null): string {
  const name = (sent ?? '').trim().slice(0, NAME_CHARACTERS_MAX);
  return NAME.test(name) ? name : '';
}
