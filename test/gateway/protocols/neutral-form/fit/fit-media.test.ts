import { describe, expect, it } from 'vitest';
import { fitMedia } from '../../../../../gateway/protocols/neutral-form/fit/conversation/fit-media.ts';
import type {
  FilePart,
  ImagePart,
  UserPart,
} from '../../../../../gateway/protocols/neutral-form/request.ts';
import { PROTOCOL_DEFAULTS } from '../../../../../gateway/providers/profiles/protocol-defaults.ts';
import { profileWith } from './support/profile-with.ts';
import {
  assistant,
  call,
  fitted,
  refusalOf,
  requestOf,
  result,
  results,
  text,
  user,
} from './support/requests.ts';

const JPEG = '/9j/4AAQSkZJRgABAQ==';
const PNG = 'iVBORw0KGgoAAAANSUhEUg==';
const WEBP = Buffer.from('RIFF\x24\x01\x00\x00WEBPVP8 ', 'latin1').toString('base64');
const PDF = Buffer.from('%PDF-1.7\n').toString('base64');

function image(mediaType: string, base64 = 'AAAA'): ImagePart {
  return { type: 'image', source: { base64, mediaType } };
}

function file(mediaType: string, base64: string, name?: string): FilePart {
  const named = name === undefined ? {} : { name };
  return { type: 'file', source: { base64, mediaType }, ...named };
}

const BY_URL: ImagePart = { type: 'image', source: { url: 'https://example.com/a.png' } };
const TEXT_ONLY = profileWith({ media: { imageTypes: new Set(), pdf: false, audio: false } });
const IN_USER = profileWith({ media: { toolResultImages: false } });

function sentPart(part: UserPart): UserPart | undefined {
  const { messages } = fitted(fitMedia, requestOf([user('see', part)]), profileWith({})).request;
  const [message] = messages;
  return message?.role === 'user' ? message.parts[1] : undefined;
}

describe('types of images', () => {
  it('are those that vendors know, whatever a client calls them', () => {
    for (const type of [
      'image/jpg',
      'IMAGE/JPEG',
      'image/pjpeg',
      'image/jpeg; q=1',
      ' image/Jpg ',
    ]) {
      expect(sentPart(image(type))).toEqual(image('image/jpeg'));
    }
    expect(sentPart(image('image/x-png'))).toEqual(image('image/png'));
    expect(sentPart({ ...image('image/jpg'), detail: 'low', cache: { ttl: '5m' } })).toEqual({
      ...image('image/jpeg'),
      detail: 'low',
      cache: { ttl: '5m' },
    });
  });

  it('are those of the bytes, where a screenshot has the wrong one', () => {
    for (const [base64, type] of [
      [JPEG, 'image/jpeg'],
      [PNG, 'image/png'],
      [WEBP, 'image/webp'],
    ] as const) {
      for (const named of ['image/gif', '', 'application/octet-stream']) {
        expect(sentPart(image(named, base64))).toEqual(image(type, base64));
      }
    }
  });

  it('that the target refuses are refused by name', () => {
    for (const type of ['image/tiff', 'image/svg+xml', 'image/heic', '']) {
      const request = requestOf([
        user('see'),
        assistant('yes'),
        user(image('image/png'), image(type)),
      ]);
      expect(refusalOf(fitMedia, request, profileWith({}))).toMatchObject({
        param: 'messages',
        message: expect.stringMatching(/image\/webp, not ".*number 2 of the images/s) as string,
      });
    }
    expect(refusalOf(fitMedia, requestOf([user(image('image/png'))]), TEXT_ONLY).message).toContain(
      'reads no images',
    );
  });

  it('that fit leave the request the very same', () => {
    const request = requestOf([
      user('see', image('image/png', PNG), BY_URL, file('application/pdf', PDF)),
      assistant(call('1')),
      results(result('1', [image('image/jpeg')])),
    ]);
    expect(fitted(fitMedia, request, profileWith({})).request).toBe(request);
  });
});

describe('images and files by address', () => {
  it('are refused where the target fetches none, with what to do', () => {
    const profile = profileWith({ media: { imageAddresses: false, pdfAddresses: false } });
    const pdf: FilePart = { type: 'file', source: { url: 'https://example.com/a.pdf' } };
    for (const part of [BY_URL, pdf]) {
      expect(refusalOf(fitMedia, requestOf([user(part)]), profile)).toMatchObject({
        param: 'messages',
        message: expect.stringMatching(/as base64, not its URL/) as string,
      });
      const request = requestOf([user(part)]);
      expect(fitted(fitMedia, request, profileWith({})).request).toBe(request);
    }
  });

  it('are sent where the target reads those of a host', () => {
    const profile = profileWith({
      media: { imageAddresses: false, addressHosts: new Set(['youtu.be']) },
    });
    const at = (url: string) => requestOf([user({ type: 'image', source: { url } })]);
    const video = at('https://youtu.be/x');
    expect(fitted(fitMedia, video, profile).request).toBe(video);
    for (const url of ['http://youtu.be/x', 'https://a.youtu.be/x', 'https://x/?youtu.be', 'x']) {
      expect(refusalOf(fitMedia, at(url), profile).param).toBe('messages');
    }
  });

  it.each(['youtube.com', 'www.youtube.com', 'youtu.be', 'www.youtu.be'])(
    'are sent to Gemini, which reads the videos of %s',
    (host) => {
      const video = requestOf([user({ type: 'file', source: { url: `https://${host}/x` } })]);
      expect(fitted(fitMedia, video, PROTOCOL_DEFAULTS.gemini).request).toBe(video);
    },
  );

  it('are refused where they name neither bytes nor an address: uploaded files', () => {
    for (const part of [
      { type: 'image', source: { url: '' } },
      { type: 'file', source: { url: '' } },
      image('image/png', ''),
    ] as const) {
      const { message } = refusalOf(fitMedia, requestOf([user(part)]), profileWith({}));
      expect(message).toContain('Files that were uploaded to a vendor cannot be used here');
    }
  });
});

describe('files and audio', () => {
  it('whose bytes are a text are sent as text', () => {
    const bytes = Buffer.from('{"é":1}').toString('base64');
    for (const type of ['text/plain', 'Text/CSV; charset=utf-8', 'application/json', 'a/b+json']) {
      expect(sentPart(file(type, bytes, 'a.txt'))).toEqual({
        type: 'file',
        source: { text: '{"é":1}' },
        name: 'a.txt',
      });
    }
  });

  it('that are images are sent as images, and PDF files under their type', () => {
    expect(sentPart(file('image/jpg', 'AAAA'))).toEqual(image('image/jpeg'));
    expect(sentPart(file('application/octet-stream', PNG))).toEqual(image('image/png', PNG));
    expect(sentPart(file('application/octet-stream', PDF, 'a'))).toEqual(
      file('application/pdf', PDF, 'a'),
    );
  });

  it('that the target cannot read are refused', () => {
    const audio: UserPart = { type: 'audio', base64: 'AAAA', format: 'wav' };
    for (const [part, said] of [
      [file('application/pdf', PDF), 'reads no files of the type "application/pdf"'],
      [audio, 'does not take audio'],
    ] as const) {
      expect(refusalOf(fitMedia, requestOf([user(part)]), TEXT_ONLY).message).toContain(said);
    }
  });
});

describe('images in the results of tools', () => {
  it('come behind the results, each under its call, where results take text alone', () => {
    const { messages } = fitted(
      fitMedia,
      requestOf([
        assistant(call('1', 'shot'), call('2', 'read'), call('3', 'ls')),
        results(
          result('1', [image('image/jpg')]),
          result('2', [text('page'), image('image/png')]),
          result('3'),
        ),
        user('go on'),
      ]),
      IN_USER,
    ).request;
    expect(messages.slice(1)).toEqual([
      results(result('1', 'The result is in the next message.'), result('2', 'page'), result('3')),
      user(
        'From the result of shot (call 1):',
        image('image/jpeg'),
        'From the result of read (call 2):',
        image('image/png'),
        'go on',
      ),
    ]);
  });

  it('are a message of their own where the assistant goes on, or nobody', () => {
    const turn = [assistant(call('1')), results(result('1', [image('image/png')]))];
    const shown = user('From the result of ls (call 1):', image('image/png'));
    const { messages } = fitted(
      fitMedia,
      requestOf([...turn, ...turn, assistant('ok')]),
      IN_USER,
    ).request;
    expect(messages[2]).toEqual(shown);
    expect(messages[5]).toEqual(shown);
    expect(fitted(fitMedia, requestOf(turn), IN_USER).request.messages.at(-1)).toEqual(shown);
  });

  it('that are texts stay in the result', () => {
    const csv = { type: 'file', source: { text: '1,2' }, name: 'a.csv' } as const;
    const request = requestOf([assistant(call('1')), results(result('1', [csv]))]);
    expect(fitted(fitMedia, request, IN_USER).request.messages).toEqual([
      assistant(call('1')),
      results(result('1', 'a.csv\n1,2')),
    ]);
  });

  it('that the target cannot read are left out with a note, so that the session goes on', () => {
    const request = requestOf([
      assistant(call('1')),
      results(result('1', [text('shot'), image('image/png')])),
    ]);
    for (const profile of [
      TEXT_ONLY,
      { ...TEXT_ONLY, media: { ...TEXT_ONLY.media, toolResultImages: false } },
    ]) {
      expect(fitted(fitMedia, request, profile).request.messages[1]).toEqual(
        results(
          result('1', [
            text('shot'),
            text(
              '[The image that was here has been left out: the model’s upstream reads no images.]',
            ),
          ]),
        ),
      );
    }
  });
});
