import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../gateway/platform/errors/refusal.ts';
import { fitRequest } from '../../../../gateway/protocols/neutral-form/fit/fit-request.ts';
import type { UserPart } from '../../../../gateway/protocols/neutral-form/request.ts';
import { neutralForm } from '../../../../gateway/protocols/gemini/neutral-form.ts';
import { profileOf } from '../../../../gateway/providers/profiles/profile-of.ts';
import { targetOf } from '../../../support/upstreams/target.ts';
import { requestOf, user } from '../neutral-form/fit/support/requests.ts';

/** The part that Gemini gets, or the message of the refusal. */
function sent(upstreamModel: string, part: UserPart): unknown {
  const profile = profileOf({
    kind: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com',
    upstreamModel,
    upstreamProtocol: 'gemini',
    chosen: null,
  });
  const fitted = fitRequest(requestOf([user(part)]), profile);
  if (isRefusal(fitted)) return fitted.message;
  const body = neutralForm.writeRequest(fitted.request, targetOf({ profile, upstreamModel }));
  const contents = (body as { contents?: unknown }).contents;
  return JSON.parse(JSON.stringify(contents)) as unknown;
}

function content(part: object): unknown {
  return [{ role: 'user', parts: [part] }];
}

const PNG = 'https://a.example/x.PNG?width=2';
const PLAIN = 'https://a.example/image/7';
const VIDEO = 'https://youtu.be/x';

describe('media by address', () => {
  it.each(['gemini-3-pro-preview', 'gemini-3.8-flash'])('%s fetches', (model) => {
    expect(sent(model, { type: 'image', source: { url: PNG } })).toEqual(
      content({ fileData: { mimeType: 'image/png', fileUri: PNG } }),
    );
    expect(sent(model, { type: 'image', source: { url: PLAIN } })).toEqual(
      content({ fileData: { fileUri: PLAIN } }),
    );
    const named = { type: 'image', source: { url: PLAIN, mediaType: 'image/webp' } } as const;
    expect(sent(model, named)).toEqual(
      content({ fileData: { mimeType: 'image/webp', fileUri: PLAIN } }),
    );
    expect(sent(model, { type: 'file', source: { url: 'https://a.example/x' } })).toEqual(
      content({ fileData: { mimeType: 'application/pdf', fileUri: 'https://a.example/x' } }),
    );
  });

  it('earlier models do not fetch, but for videos', () => {
    const part: UserPart = { type: 'image', source: { url: PNG } };
    expect(sent('gemini-2.5-pro', part)).toContain('fetches no images');
    expect(sent('gemini-2.5-pro', { type: 'file', source: { url: PLAIN } })).toContain(
      'fetches no files',
    );
    expect(sent('gemini-2.5-pro', { type: 'file', source: { url: VIDEO } })).toEqual(
      content({ fileData: { fileUri: VIDEO } }),
    );
  });
});
