import { describe, expect, it } from 'vitest';
import { checkContentType } from '../../../../../gateway/data-plane/http/body/content-type.ts';

describe('checkContentType', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON',
    ' application/json ; a=b; c=d',
    'application/vnd.api+json',
    'application/problem+json; charset=utf-8',
  ])('accepts %j', (header) => {
    expect(checkContentType(header)).toBeUndefined();
  });

  it.each([
    ['', 'missing'],
    ['text/plain;charset=UTF-8', 'application/json'],
    ['application/x-www-form-urlencoded', 'curl'],
    ['multipart/form-data; boundary=x', 'application/json'],
    ['application/jsonp', 'application/json'],
    ['text/x+json', 'application/json'],
  ])('refuses %j with 415 and says what to send', (header, hint) => {
    const refusal = checkContentType(header);
    expect(refusal?.refused).toBe('unsupported_media_type');
    expect(refusal?.message).toContain(hint);
    expect(refusal?.message).toContain('Content-Type: application/json');
  });
});
