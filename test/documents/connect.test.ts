import { describe, expect, it } from 'vitest';
import { readSource, sourceFiles } from '../support/sources/source-files.ts';
import { sectionOf } from './support/markdown.ts';

const AGENT_TOOL = /packageName: '([^']+)',\s+version: '([^']+)'/g;
const LIBRARY = /^ +'?([@\w/-]+)'?: '(\d+\.\d+\.\d+)',$/gm;
const PYTHON_PACKAGE = /'([\w-]+==[\d.]+)'/g;
/** SDKs of vendors, which the repository installs, some in two versions. */
const VENDOR_SDK =
  /^(?:openai|@anthropic-ai\/(?:bedrock-|vertex-)?sdk|@aws-sdk\/client-bedrock-runtime|@google\/genai|anthropic-sdk-0|openai-6|google-genai-2)$/;

function matches(texts: readonly string[], pattern: RegExp, between: string): string[] {
  return texts.flatMap((text) =>
    [...text.matchAll(pattern)].map(([, name = '', version]) =>
      version === undefined ? name : name + between + version,
    ),
  );
}

/** `name@version` of a dependency, of what an alias stands for. */
function vendorSdks(): string[] {
  const { devDependencies } = JSON.parse(readSource('package.json')) as {
    devDependencies: Record<string, string>;
  };
  return Object.entries(devDependencies)
    .filter(([name]) => VENDOR_SDK.test(name))
    .map(([name, version]) => /^npm:(.+)$/.exec(version)?.[1] ?? `${name}@${version}`);
}

describe('docs/connect.md', () => {
  it('names the versions that the tests run, and no other', () => {
    const agents = sourceFiles(['.ts'], ['test/agent-tools/']).map(({ text }) => text);
    const libraries = sourceFiles(['.test.ts'], ['test/client-libraries/']).map(({ text }) => text);
    const tried = [
      ...matches(agents, AGENT_TOOL, '@'),
      ...matches(libraries, LIBRARY, '@'),
      ...matches(libraries, PYTHON_PACKAGE, '=='),
      ...vendorSdks(),
    ];
    const section = sectionOf(readSource('docs/connect.md'), 'What was tried');
    const named = [...section.matchAll(/`([^`\s]+?(?:@|==)\d[^`]*)`/g)].map(
      ([, name = '']) => name,
    );
    expect(named.toSorted()).toEqual([...new Set(tried)].toSorted());
  });
});
