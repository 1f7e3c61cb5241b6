import type { TSchema } from 'typebox';
import type { AdminRoute } from '@weir/shared/admin-route';
import { ADMIN_API_ROOT, ADMIN_ROUTES } from '@weir/shared/admin-routes';
import { ADMIN_SCHEMAS } from '@weir/shared/admin-schemas';
import { ERROR_CATALOGUE } from '@weir/shared/error-catalogue';
import { openApiPath } from '../api/path-parameters.ts';
import { routeSchemaName, schemaName } from './schema-names.ts';

/** Where the page's style is served: the policy allows no style inside of the page. */
export const REFERENCE_STYLE_PATH = '/api/reference.css';

export const REFERENCE_STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d5dae0, #3a4149); --soft: light-dark(#f4f6f8, #1d2227); }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem; font: 1rem/1.5 system-ui, sans-serif; }
code, pre { font: 0.9em/1.4 ui-monospace, monospace; }
h1 { margin-block: 0 0.5rem; } h2 { margin-block: 2.5rem 0.5rem; border-bottom: 1px solid var(--line); }
details { border: 1px solid var(--line); border-radius: 0.4rem; margin-block: 0.4rem; }
summary { cursor: pointer; padding: 0.5rem 0.75rem; overflow-wrap: anywhere; }
summary:focus-visible, a:focus-visible { outline: 2px solid currentcolor; outline-offset: 2px; }
details > div { padding: 0 0.75rem 0.75rem; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; }
.who { float: right; font-size: 0.85em; padding-inline: 0.5rem; border-radius: 1rem; background: var(--soft); }
table { border-collapse: collapse; width: 100%; } .wide { overflow-x: auto; }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-bottom: 1px solid var(--line); }
pre { background: var(--soft); padding: 0.75rem; border-radius: 0.4rem; overflow-x: auto; }
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
  if (schema === 'csv') return `<p><strong>${String(status)}</strong> text/csv</p>`;
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

/** The whole API on one page: no script, nothing from elsewhere. Written once, at start. */
export function referencePage(): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Weir admin API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="${REFERENCE_STYLE_PATH}">
</head><body><main><h1>Weir admin API</h1>
<p>Machine-readable: <a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI 3.1). Make a personal access token in the
console under Account and send it as a bearer credential:</p>
<pre>curl -H "Authorization: Bearer weir_pat_…" …${ADMIN_API_ROOT}/accounts/me</pre>
<p>Money is a decimal string in USD, exact to nine decimals. Times are RFC 3339 in UTC. Lists are paged: send
<code>nextCursor</code> back as <code>cursor</code>. Every failure is a <a href="#schema-Problem">problem</a> whose
<code>code</code> stands <a href="#problems">below</a>.</p>
${operations()}<h2>Schemas</h2>${schemas()}<h2 id="problems">Problems</h2>${errors()}</main></body></html>`;
}
