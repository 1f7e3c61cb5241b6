import type { TSchema } from 'typebox';
import { FILE_MEDIA_TYPES, fileKindOf, type AdminRoute } from '@weir/shared/api/admin-route';
import { ADMIN_API_ROOT, ADMIN_ROUTES } from '@weir/shared/api/admin-routes';
import { ADMIN_SCHEMAS } from '@weir/shared/api/admin-schemas';
import { ERROR_CATALOGUE } from '@weir/shared/api/error-catalogue';
import { openApiPath } from '../api/path-parameters.ts';
import { routeSchemaName, schemaName } from './schema-names.ts';

/** The path of the page's style sheet: the policy forbids inline styles. */
export const REFERENCE_STYLE_PATH = '/api/reference.css';

/** In the console's colours; `data-theme` and `--weir-accent` are set by the console's theme.js. */
export const REFERENCE_STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#f5f7f7, #0f1416); --surface: light-dark(#fff, #161d20);
--line: light-dark(#e0e6e6, #273135); --soft: light-dark(#eef2f2, #11181a); --text: light-dark(#15201f, #e4ebec);
--quiet: light-dark(#4d5d60, #a3b3b7); --brand: light-dark(#0b666d, #62cdd3); }
:root[data-theme='light'] { color-scheme: light; } :root[data-theme='dark'] { color-scheme: dark; }
:root[data-brand] { --brand: light-dark(oklch(from var(--weir-accent) 0.45 min(c, 0.16) h),
oklch(from var(--weir-accent) 0.8 min(c, 0.11) h)); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 0.9375rem/1.5 system-ui, sans-serif; }
header { display: flex; align-items: center; gap: 0.5rem; padding: 0.75rem 1.5rem; border-bottom: 1px solid var(--line);
background: var(--surface); font-weight: 600; }
header svg { width: 1.5rem; height: 1.5rem; color: var(--brand); }
header a { color: inherit; text-decoration: none; } header a + a { margin-left: auto; font-weight: 400; }
main { margin: 0 auto; max-width: 72rem; padding: 2rem 1.5rem 4rem; } a { color: var(--brand); }
code, pre { font: 0.9em/1.4 ui-monospace, monospace; }
h1 { margin-block: 0 0.5rem; font-size: 1.625rem; } h2 { margin-block: 2.5rem 0.5rem; font-size: 1.125rem; }
details { border: 1px solid var(--line); border-radius: 10px; margin-block: 0.4rem; background: var(--surface); }
summary { cursor: pointer; padding: 0.5rem 0.75rem; overflow-wrap: anywhere; }
summary:focus-visible, a:focus-visible { outline: 2px solid currentcolor; outline-offset: 2px; }
details > div { padding: 0 0.75rem 0.75rem; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; }
.who { float: right; font-size: 0.85em; padding-inline: 0.5rem; border-radius: 1rem; background: var(--soft);
color: var(--quiet); }
table { border-collapse: collapse; width: 100%; } .wide { overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--line); }
pre { background: var(--soft); padding: 0.75rem; border-radius: 10px; overflow-x: auto; }
`;

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function link(name: string): string {
  return `<a href="#schema-${name}">${name}</a>`;
}

/** A schema in a few words: its type, its bounds, or the name of the schema it is. */
function words(schema: unknown): string {
  const name = schemaName(schema);
  if (name !== undefined) return link(name);
  const { type, items, anyOf, enum: choices, format, description } = fieldsOf(schema);
  if (Array.isArray(choices))
    return choices.map((one) => `<code>${escape(String(one))}</code>`).join(' | ');
  if (Array.isArray(anyOf)) {
    const kinds = anyOf.map(words).join(' | ');
    return typeof description === 'string' ? `${kinds}. ${escape(description)}` : kinds;
  }
  if (type === 'array') return `list of ${words(items)}`;
  const known = typeof type === 'string' ? type : 'anything';
  const detail = typeof format === 'string' ? format : description;
  return typeof detail === 'string' ? `${known} (${escape(detail)})` : known;
}

function schemaTable(schema: unknown): string {
  const { properties, required } = fieldsOf(schema);
  if (properties === undefined) return `<p>${words(schema)}</p>`;
  const demanded = new Set<unknown>(Array.isArray(required) ? required : []);
  const rows = Object.entries(fieldsOf(properties)).map(
    ([name, property]) =>
      `<tr><td><code>${escape(name)}</code>${demanded.has(name) ? '' : '?'}</td><td>${words(property)}</td></tr>`,
  );
  return `<div class="wide"><table><tr><th>Field</th><th>Value</th></tr>${rows.join('')}</table></div>`;
}

function part(title: string, schema: TSchema | undefined): string {
  if (schema === undefined) return '';
  return `<p><strong>${title}</strong> ${link(routeSchemaName(schema))}</p>`;
}

function notes(route: AdminRoute): string {
  const all = [
    route.idempotencyKey === true
      ? 'Send <code>Idempotency-Key</code>. The reply to a repeat carries <code>Idempotency-Replayed: true</code>.'
      : '',
    route.ifMatch === true
      ? 'Send <code>If-Match</code> with the ETag last seen, or <code>*</code>.'
      : '',
    route.etag === true ? 'The reply carries an ETag.' : '',
    route.sessionOnly === true ? 'Only with a session, not with an access token.' : '',
    route.fullScope === true ? 'An access token needs the scope <code>full</code>.' : '',
  ];
  return all
    .filter((note) => note !== '')
    .map((note) => `<p>${note}</p>`)
    .join('');
}

function reply(route: AdminRoute): string {
  const { reply: schema, status } = route;
  if (schema === 'none') return `<p><strong>${String(status)}</strong> no body</p>`;
  const file = fileKindOf(route);
  if (file !== undefined) {
    return `<p><strong>${String(status)}</strong> ${FILE_MEDIA_TYPES[file]}</p>`;
  }
  return `<p><strong>${String(status)}</strong> ${link(routeSchemaName(schema))}</p>`;
}

function operation([id, route]: [string, AdminRoute]): string {
  const path = escape(ADMIN_API_ROOT + openApiPath(route.path));
  return `<details id="${id}"><summary><span class="who">${route.caller}</span>
<span class="method">${route.method}</span><code>${path}</code><br>${escape(route.summary)}</summary>
<div>${notes(route)}${part('Query', route.query)}${part('Body', route.body)}${reply(route)}</div></details>`;
}

function operations(): string {
  const byNoun = Map.groupBy(Object.entries<AdminRoute>(ADMIN_ROUTES), ([, { path }]) => {
    const [, first = '', second = ''] = path.split('/');
    return first === 'admin' ? second : first;
  });
  return [...byNoun.entries()]
    .toSorted(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([noun, routes]) => `<h2>${escape(noun)}</h2>${routes.map(operation).join('')}`)
    .join('');
}

function schemas(): string {
  return Object.entries(ADMIN_SCHEMAS)
    .map(
      ([name, schema]) =>
        `<details id="schema-${name}"><summary><code>${name}</code></summary><div>${schemaTable(schema)}</div></details>`,
    )
    .join('');
}

function errors(): string {
  const rows = Object.entries(ERROR_CATALOGUE).map(
    ([code, { status, title }]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${String(status)}</td><td>${escape(title)}</td></tr>`,
  );
  return `<div class="wide"><table><tr><th>Code</th><th>Status</th><th>Meaning</th></tr>${rows.join('')}</table></div>`;
}

/** The logo of the console. */
const LOGO =
  'M3 7.5c2.3-2.2 4.6-2.2 7 0s4.7 2.2 7 0c1.4-1.3 2.7-1.7 4-1.2M3.5 13.5h17M6.5 13.5v6M12 13.5v6M17.5 13.5v6';

/**
 * The whole API on one page: no script but the console's, which applies the theme that was chosen
 * there, and nothing from elsewhere. It is the same for everyone.
 */
export function referencePage(): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Weir admin API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="${REFERENCE_STYLE_PATH}">
<script src="/theme.js"></script></head><body><header>
<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" aria-hidden="true"><path d="${LOGO}"/></svg>
<a href="/">Weir</a><a href="/account/tokens">Access tokens</a></header><main><h1>Weir admin API</h1>
<p>Machine-readable: <a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI 3.1). Make a personal access token in the
console under Account and send it as a bearer credential:</p>
<pre>curl -H "Authorization: Bearer weir_pat_…" …${ADMIN_API_ROOT}/accounts/me</pre>
<p>Money is a decimal string in USD, exact to nine decimals. Times are RFC 3339 in UTC. Lists are paged: send
<code>nextCursor</code> back as <code>cursor</code>. Every failure is a <a href="#schema-Problem">problem</a> whose
<code>code</code> is listed <a href="#problems">below</a>.</p>
${operations()}<h2>Schemas</h2>${schemas()}<h2 id="problems">Problems</h2>${errors()}</main></body></html>`;
}
