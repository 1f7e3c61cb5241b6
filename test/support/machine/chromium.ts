import { chromium, type Browser } from 'playwright-core';
import { findChromium } from './executables.ts';

/** Starts the installed Chromium, headless. The caller closes it. @param more of its switches */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('Chromium is not installed.');
  return chromium.launch({
    executablePath,
    headless: true,
    // Chromium's sandbox refuses to run as root, and containers lack the large /dev/shm it expects.
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-dev-shm-usage',
      ...more,
    ],
  });
}
