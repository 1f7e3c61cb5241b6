/** The playground of models that make images, speech and transcripts, as their user meets it. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { HANG_MS, until } from '../support/clocks/hang.ts';
import { startImageVendor, type ImageVendor } from '../support/upstreams/image-vendor.ts';
import { startSpeechVendor, type SpeechVendor } from '../support/upstreams/speech-vendor.ts';
import {
  startTranscriptionVendor,
  TEXT,
  type TranscriptionVendor,
} from '../support/upstreams/transcription-vendor.ts';
import { wavOf } from '../gateway/platform/audio/support/audio-bytes.ts';
import {
  createConsoleFixture,
  PHONE,
  type Caller,
  type ConsoleFixture,
  type VisitorOptions,
} from './support/console-fixture.ts';

vi.setConfig({ testTimeout: 2 * HANG_MS });

/** A picture of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** Where pictures of the pages go, for a person who looks; nowhere unless it is set. */
const SHOTS = process.env['SCREENSHOTS_DIR'];

let painter: ImageVendor;
let speaker: SpeechVendor;
let transcriber: TranscriptionVendor;
let fixture: ConsoleFixture;
let user: Caller;

beforeAll(async () => {
  painter = await startImageVendor();
  painter.image = PIXEL;
  speaker = await startSpeechVendor();
  speaker.sound = wavOf(400);
  transcriber = await startTranscriptionVendor();
  fixture = await createConsoleFixture();
  user = await fixture.register('grace@example.org');
  const { id: accountId } = await fixture.ask('getOwnAccount', { as: user });
  const credit = { amountUsd: '50', reason: '2026-11' };
  await fixture.ask('createCredit', { params: { accountId }, body: credit });
  const { id: groupId } = await fixture.ask('createGroup', { body: { name: 'Media' } });
  await sell('painter-image', painter.url, groupId, { image: '0.04' });
  await sell('tts-1', speaker.url, groupId, { character: '15' });
  await sell('whisper-1', `${transcriber.url}/v1`, groupId, { second: '0.0001' });
  await sell('rerank-v3.5', painter.url, groupId, { searchUnit: '2' });
  const { value } = await fixture.ask('createKey', { as: user, body: { name: 'Laptop', groupId } });
  await until('the gateway knows the models', async () => {
    const headers = { authorization: `Bearer ${value}` };
    const reply = await fetch(`${fixture.weir.url}/v1/models`, { headers });
    return (await reply.text()).includes('rerank-v3.5');
  });
});

async function sell(
  publicId: string,
  baseUrl: string,
  groupId: string,
  extra: object,
): Promise<void> {
  const limits = { contextTokensMax: 8_192, outputTokensMax: 1_024 };
  const { id: modelId } = await fixture.ask('createModel', {
    body: { publicId, ...limits, groupIds: [groupId] },
  });
  const body = { inputUsd: '0', outputUsd: '0', extra };
  await fixture.ask('createPrice', { params: { modelId }, body });
  const models = [{ modelId, upstreamName: publicId }];
  const channel = { name: publicId, baseUrl, allowPrivate: true, models };
  await fixture.ask('createChannel', { body: channel });
}

afterAll(async () => {
  await fixture.close();
  await Promise.all([painter.close(), speaker.close(), transcriber.close()]);
});

async function openPlayground(options: VisitorOptions = {}) {
  const visitor = await fixture.visitor({ as: user, ...options });
  await visitor.page.goto('/playground');
  return visitor;
}

async function choose(page: Page, model: string): Promise<void> {
  await page.getByTestId('model').locator('select').selectOption(model);
}

async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

/** Reports if a member of an element is so. A text is evaluated as it is, and never called. */
async function isTrue(page: Page, testId: string, comparison: string): Promise<boolean> {
  const found: unknown = await page.evaluate(
    `document.querySelector('[data-testid="${testId}"]').${comparison}`,
  );
  return found === true;
}

describe('the playground', () => {
  it.each([
    ['desktop-light-en', {}, '1 image 1024x1536 medium'],
    ['phone-dark-zh', { theme: 'dark', language: 'zh-CN', size: PHONE }, '1024x1536 medium'],
  ] as const)('makes an image and shows its bill, on %s', async (name, options, billed) => {
    const { page, complaints } = await openPlayground(options);
    await choose(page, 'painter-image');
    await shoot(page, `${name}-empty`);
    await page.getByTestId('media-text').fill('A cat in the rain');
    await page.getByTestId('send').click();
    await page.getByTestId('made-image').waitFor();
    await until('the browser has read the image', () =>
      isTrue(page, 'made-image', 'naturalWidth > 0'),
    );
    await page.getByTestId('media-bill').getByText(billed).waitFor();
    expect(await page.getByTestId('record-cost').textContent()).toContain('0.04');
    await shoot(page, `${name}-image`);
    expect(complaints).toEqual([]);
  });

  it('speaks, and the browser plays it', async () => {
    const { page, complaints } = await openPlayground();
    await choose(page, 'tts-1');
    await page.getByTestId('media-text').fill('Good evening.');
    await page.getByTestId('send').click();
    await page.getByTestId('made-speech').waitFor();
    await until('the browser has read the sound', () =>
      isTrue(page, 'made-speech', 'duration > 0.3'),
    );
    await page.getByTestId('media-bill').getByText('13 characters').waitFor();
    await shoot(page, 'speech');
    expect(complaints).toEqual([]);
  });

  it('transcribes a file', async () => {
    const { page, complaints } = await openPlayground({ size: PHONE });
    await choose(page, 'whisper-1');
    await page
      .getByTestId('sound-file')
      .setInputFiles({ name: 'speech.wav', mimeType: 'audio/wav', buffer: wavOf(3_210) });
    await page.getByTestId('send').click();
    await page.getByTestId('made-transcript').getByText(TEXT).waitFor();
    await page.getByTestId('media-bill').getByText('4 s').waitFor();
    await shoot(page, 'transcript-phone');
    expect(complaints).toEqual([]);
  });

  it('shows why an image was refused, with nothing billed', async () => {
    const { page } = await openPlayground();
    await choose(page, 'painter-image');
    await page.getByTestId('media-text').fill('A forbidden cat');
    await page.getByTestId('send').click();
    await page.getByTestId('failure').waitFor();
    await shoot(page, 'refused');
    expect(await page.getByTestId('media-bill').count()).toBe(0);
  });

  it('does not offer models that rank', async () => {
    const { page } = await openPlayground();
    await choose(page, 'tts-1');
    const options = await page.getByTestId('model').locator('option').allTextContents();
    expect(options.map((option) => option.trim())).not.toContain('rerank-v3.5');
  });
});
