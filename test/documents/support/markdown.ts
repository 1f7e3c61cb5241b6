/** Links, anchors, tables and code blocks of Markdown, for tests that compare them. */

/** A fenced block of code: its language, such as `ts`, and its text without the last line break. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
}

const FENCE = /^( *)```(\w*)\n([\s\S]*?)\n\1```$/gm;

export function codeBlocks(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(FENCE)].map(([, indent = '', language = '', text = '']) => ({
    language,
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** The text without fenced blocks: what looks like a heading or a link there is none. */
function prose(markdown: string): string {
  return markdown.replaceAll(FENCE, '');
}

/** The section under a heading of any level, down to the next heading of that level or above. */
export function sectionOf(markdown: string, heading: string): string {
  const lines = markdown.split('\n');
  const start = lines.findIndex(
    (line) => /^#+ /.test(line) && line.replace(/^#+ /, '') === heading,
  );
  if (start === -1) throw new Error(`there is no section "${heading}"`);
  const level = lines[start]?.indexOf(' ') ?? 0;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level);
  return rest.slice(0, end === -1 ? undefined : end).join('\n');
}

/** The cells of each row of all tables, without their heads. */
export function tableRows(markdown: string): string[][] {
  return markdown.split('\n').flatMap((line, index, lines) => {
    const isRow = line.startsWith('|') && !isRule(line) && !isRule(lines[index + 1] ?? '');
    return isRow ? [cellsOf(line)] : [];
  });
}

/** The cells of the heads of all tables. */
export function tableHeads(markdown: string): string[][] {
  const lines = markdown.split('\n');
  return lines.flatMap((line, index) => (isRule(lines[index + 1] ?? '') ? [cellsOf(line)] : []));
}

function isRule(line: string): boolean {
  return /^\|(?: *:?-+:? *\|)+$/.test(line);
}

function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The targets of all links and images that lead into the repository. */
export function relativeLinks(markdown: string): string[] {
  return [...prose(markdown).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors of all headings, as GitHub makes them. */
export function anchors(markdown: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [, heading = ''] of prose(markdown).matchAll(/^#+ (.+)$/gm)) {
    const slug = slugOf(heading);
    let anchor = slug;
    for (let count = 1; found.has(anchor); count += 1) anchor = `${slug}-${String(count)}`;
    found.add(anchor);
  }
  return found;
}

function slugOf(heading: string): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return text.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-');
}
