/** A page that records and plays: Chromium with a device that beeps. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { HANG_MS } from '../support/clocks/hang.ts';
import { launchChromium } from '../support/machine/chromium.ts';
import { TEXT } from '../support/upstreams/transcription-vendor.ts';
import { wavOf } from '../gateway/platform/audio/support/audio-bytes.ts';
import { MEDIA_MODELS as MODELS, openMediaShop, type MediaShop } from './support/media-shop.ts';

vi.setConfig({ testTimeout: 2 * HANG_MS });

/** Nanodollars. */
const PER_MS = 100;
/** An Opus packet of Chromium has 60 ms, and its encoder adds some of silence. */
const TOLERANCE_MS = 130;
const FAKE_DEVICE = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

let shop: MediaShop;
let browser: Browser;
let server: Server;
let page: Page;

beforeAll(async () => {
  shop = await openMediaShop();
  browser = await launchChromium([...FAKE_DEVICE, '--autoplay-policy=no-user-gesture-required']);
  server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>Recorder</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});

afterAll(async () => {
  await browser.close();
  server.close();
  await shop.close();
});

interface Recorded {
  readonly type: string;
  /** As the browser decodes the recording. */
  readonly seconds: number;
  readonly hasDuration: boolean;
  readonly status: number;
  readonly text: string;
}

/** Records so many pieces, and has the recording transcribed. */
function record(pieces: number): Promise<Recorded> {
  const { url, key } = shop;
  return page.evaluate(
    async ({ count, gateway, bearer, model }) => {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      const recorder = new MediaRecorder(stream, { mimeType: 'audio/webm;codecs=opus' });
      const parts: Blob[] = [];
      await new Promise<void>((resolve) => {
        recorder.ondataavailable = ({ data }) => {
          parts.push(data);
          if (parts.length === count) recorder.stop();
        };
        recorder.onstop = () => resolve();
        recorder.start(250);
      });
      for (const track of stream.getTracks()) track.stop();
      const blob = new Blob(parts, { type: 'audio/webm' });
      const bytes = await blob.arrayBuffer();
      const head = new Uint8Array(bytes.slice(0, 400));
      // The element Duration of Matroska.
      const hasDuration = head.some((byte, at) => byte === 0x44 && head[at + 1] === 0x89);
      const { duration } = await new AudioContext().decodeAudioData(bytes);
      const form = new FormData();
      form.append('file', blob, 'recording.webm');
      form.append('model', model);
      const reply = await fetch(`${gateway}/v1/audio/transcriptions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}` },
        body: form,
      });
      const { text } = (await reply.json()) as { text: string };
      const { type } = blob;
      return { type, seconds: duration, hasDuration, status: reply.status, text };
    },
    { count: pieces, gateway: url, bearer: key, model: MODELS.whisper },
  );
}

it.each([4, 9])('%d pieces of a recording are billed by their duration', async (pieces) => {
  // Nothing is reported: the file alone says how long it is.
  shop.transcriber.change = ({ text }) => ({ text });
  await shop.charged();
  const { seconds, ...recorded } = await record(pieces);
  expect(recorded).toEqual({ type: 'audio/webm', hasDuration: false, status: 200, text: TEXT });
  const billedMs = (await shop.charged()) / PER_MS;
  expect(seconds).toBeGreaterThan(0.5);
  expect(Math.abs(billedMs - seconds * 1_000)).toBeLessThan(TOLERANCE_MS);
  expect(shop.transcriber.forms.at(-1)?.form['file']).toMatch(/^recording\.webm audio\/webm \d+$/);
});

it('speech is played to its end', async () => {
  shop.speaker.sound = wavOf(400);
  const { url, key } = shop;
  const played = await page.evaluate(
    async ({ gateway, bearer, model }) => {
      const reply = await fetch(`${gateway}/v1/audio/speech`, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, voice: 'alloy', input: 'Hello', response_format: 'wav' }),
      });
      const audio = new Audio(URL.createObjectURL(await reply.blob()));
      await new Promise<void>((resolve, reject) => {
        audio.onended = () => resolve();
        audio.onerror = () => reject(new Error(audio.error?.message));
        audio.play().catch(reject);
      });
      return audio.duration;
    },
    { gateway: url, bearer: key, model: MODELS.speaker },
  );
  expect(played).toBeCloseTo(0.4, 2);
});
