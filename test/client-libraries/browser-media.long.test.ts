/** A page that records and plays: Chromium with a device that beeps. */
import { readFile } from 'node:fs/promises';
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
  const recorder = await readFile(new URL('support/recorder.html', import.meta.url));
  server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(recorder);
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
  /** The duration that the browser decodes. */
  readonly seconds: number;
  readonly hasDuration: boolean;
  readonly status: number;
  readonly text: string;
}

/** Calls a function of the page. */
function call(name: 'record' | 'play', model: string, more: object = {}): Promise<unknown> {
  const { url: gateway, key } = shop;
  return page.evaluate(`${name}(${JSON.stringify({ gateway, key, model, ...more })})`);
}

it.each([4, 9])('%d pieces of a recording are billed by their duration', async (pieces) => {
  // Nothing is reported: the file alone says how long it is.
  shop.transcriber.change = ({ text }) => ({ text });
  await shop.charged();
  const { seconds, ...recorded } = (await call('record', MODELS.whisper, { pieces })) as Recorded;
  expect(recorded).toEqual({ type: 'audio/webm', hasDuration: false, status: 200, text: TEXT });
  const billedMs = (await shop.charged()) / PER_MS;
  expect(seconds).toBeGreaterThan(0.5);
  expect(Math.abs(billedMs - seconds * 1_000)).toBeLessThan(TOLERANCE_MS);
  expect(shop.transcriber.forms.at(-1)?.form['file']).toMatch(/^recording\.webm audio\/webm \d+$/);
});

it('speech is played to its end', async () => {
  shop.speaker.sound = wavOf(400);
  const played = await call('play', MODELS.speaker);
  expect(played).toBeCloseTo(0.4, 2);
});
