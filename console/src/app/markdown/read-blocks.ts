import { Marked, type Token, type Tokens } from 'marked';

/** A part of a text: code, which is shown with a button that copies it, or other HTML. */
export type Block =
  | { readonly kind: 'code'; readonly code: string; readonly language: string }
  | { readonly kind: 'html'; readonly html: string };

/** Links of other schemes would run scripts, or open programs. */
const LINK_SCHEME = /^(?:https?:|mailto:|\/(?![/\\])|#)/i;

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function linkTo(href: string, words: string): string {
  if (!LINK_SCHEME.test(href)) return words;
  const elsewhere = /^https?:/i.test(href) ? ' target="_blank" rel="noopener noreferrer"' : '';
  return `<a href="${escaped(href)}"${elsewhere}>${words}</a>`;
}

/**
 * HTML in the text is shown as it was typed. Images are links: a picture from elsewhere would
 * reveal its server who reads, and what a model was made to put in its address.
 */
const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ href, text }) => linkTo(href, escaped(text === '' ? href : text)),
    link({ href, tokens }) {
      return linkTo(href, this.parser.parseInline(tokens));
    },
    // Headings of a text lie below the page's own.
    heading({ depth, tokens }) {
      const level = String(Math.min(depth + 1, 6));
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    table(token) {
      const row = (cells: readonly Tokens.TableCell[], name: 'th' | 'td'): string =>
        `<tr>${cells
          .map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`)
          .join('')}</tr>`;
      const rows = token.rows.map((cells) => row(cells, 'td')).join('');
      const head = row(token.header, 'th');
      return `<table><thead>${head}</thead><tbody>${rows}</tbody></table>`;
    },
  },
});

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}

function isList(token: Token): token is Tokens.List {
  return token.type === 'list';
}

function isQuote(token: Token): token is Tokens.Blockquote {
  return token.type === 'blockquote';
}

function holdsCode(token: Token): boolean {
  if (isCode(token)) return true;
  if (isList(token)) return token.items.some((item) => item.tokens.some(holdsCode));
  return isQuote(token) && token.tokens.some(holdsCode);
}

function htmlOf(tokens: Token[]): Block {
  return { kind: 'html', html: marked.parser(tokens) };
}

/** The items of a list that holds code, one after the other, so that each piece has its button. */
function itemBlocks(list: Tokens.List): Block[] {
  return list.items.flatMap((item, index) => {
    if (!item.tokens.some(holdsCode)) {
      const start = list.ordered ? Number(list.start) + index : list.start;
      return [htmlOf([{ ...list, start, items: [item] }])];
    }
    const [first, ...rest] = blocksOf(item.tokens);
    if (first?.kind !== 'html') return first === undefined ? [] : [first, ...rest];
    const start = list.ordered ? ` start="${String(Number(list.start) + index)}"` : '';
    const tag = list.ordered ? 'ol' : 'ul';
    return [{ kind: 'html', html: `<${tag}${start}><li>${first.html}</li></${tag}>` }, ...rest];
  });
}

function blocksOf(tokens: readonly Token[]): Block[] {
  const blocks: Block[] = [];
  let others: Token[] = [];
  const flush = (): void => {
    if (others.length > 0) blocks.push(htmlOf(others));
    others = [];
  };
  for (const token of tokens) {
    if (!holdsCode(token)) {
      others.push(token);
      continue;
    }
    flush();
    if (isCode(token)) {
      const language = /^[\w+#.-]{1,30}/.exec(token.lang ?? '')?.[0] ?? '';
      blocks.push({ kind: 'code', code: token.text, language });
    } else if (isList(token)) blocks.push(...itemBlocks(token));
    else if (isQuote(token)) blocks.push(...blocksOf(token.tokens));
  }
  flush();
  return blocks.filter((block) => block.kind === 'code' || block.html.trim() !== '');
}

/** Reads Markdown. Its caller sanitises the HTML: the escapes here are a second wall. */
export function readBlocks(markdown: string): Block[] {
  return blocksOf(marked.lexer(markdown));
}
