import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { SetupPart, SetupValues, ToolId } from './tool-setup';
import { TOOLS } from './tool-setups';

/** The values of the settings in the documents. */
const VALUES: SetupValues = {
  gatewayUrl: 'http://127.0.0.1:8080',
  key: 'sk-…',
  model: 'gpt-6-luna',
  smallModel: 'gpt-6-luna',
  opusModel: 'gpt-6-luna',
  sonnetModel: 'gpt-6-luna',
  media: { image: 'gpt-image-2', speech: 'gpt-4o-mini-tts', transcript: 'gpt-4o-transcribe' },
  shell: 'posix',
};
const SETUPS = TOOLS.map(({ id, name, parts, files, media }) => ({
  id,
  name,
  parts: parts(VALUES),
  files: files?.(VALUES) ?? [],
  media: media?.(VALUES) ?? [],
}));

const IN_README: readonly ToolId[] = ['openai-typescript', 'claude-code', 'codex', 'gemini-cli'];

function read(path: string): string {
  return readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8');
}

/** The texts of all fenced blocks. */
function blocksOf(markdown: string): string[] {
  return [...markdown.matchAll(/^```\w+\n([\s\S]*?)\n```$/gm)].map(([, text = '']) => text);
}

/** The section under a heading of the third level. */
function sectionOf(markdown: string, heading: string): string {
  const [, section] = markdown.split(`\n### ${heading}\n`);
  return section?.split(/\n##+ /)[0] ?? '';
}

function codesOf(parts: readonly SetupPart[]): string[] {
  return parts.flatMap((part) => (part.kind === 'code' ? [part.code] : []));
}

describe('docs/connect.md', () => {
  const document = read('docs/connect.md');

  test.each(SETUPS)('shows the settings of $name as the console does', (setup) => {
    const section = sectionOf(document, setup.name);
    const parts = [...setup.parts, ...setup.files, ...setup.media];
    // A file that both kinds of settings need is shown once.
    expect(blocksOf(section)).toEqual([...new Set(codesOf(parts))]);
    for (const part of parts) {
      if (part.kind === 'box') expect(section).toContain(`${part.name}: \`${part.value}\``);
      else if (typeof part.label !== 'string') expect(section).toContain(`\`${part.label.file}\``);
    }
  });
});

describe('README', () => {
  test('shows settings of the four protocols as the console does', () => {
    const codes = SETUPS.filter(({ id }) => IN_README.includes(id)).map(({ id, parts }) => ({
      id,
      codes: codesOf(parts),
    }));
    const [, connect = ''] = read('README.md').split('\n## Connect\n');
    const shown = blocksOf(connect.split('\n## ')[0] ?? '');
    const known = codes.flatMap((tool) => tool.codes);
    expect(shown.filter((text) => !known.includes(text))).toEqual([]);
    for (const tool of codes) {
      expect(
        tool.codes.some((code) => shown.includes(code)),
        tool.id,
      ).toBe(true);
    }
  });
});
