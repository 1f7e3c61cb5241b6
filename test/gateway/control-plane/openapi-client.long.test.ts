import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAdminFixture, type AdminFixture } from './support/fixture.ts';

let fixture: AdminFixture;
let text: string;

beforeAll(async () => {
  fixture = await createAdminFixture();
  text = (await fixture.app.inject({ url: '/api/openapi.json' })).body;
});
afterAll(() => fixture.close());

/** Uses what was generated as a client would; wrong uses are marked and must not compile. */
const CLIENT = `
import type { components, operations, paths } from './api';

type Reply<Id extends keyof operations, Status extends number> =
  operations[Id] extends { responses: { [S in Status]: { content: { 'application/json': infer Body } } } } ? Body : never;
type Body<Id extends keyof operations> =
  operations[Id] extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : never;

const body: Body<'createKey'> = { name: 'mine', groupId: '0', rpm: 60, budgetDayUsd: '2.5' };
// @ts-expect-error A budget is text, so that no digit is lost.
const wrong: Body<'createKey'> = { name: 'mine', groupId: '0', budgetDayUsd: 2.5 };
declare const created: Reply<'createKey', 201>;
const value: string = created.value;
const status: 'active' | 'disabled' | 'deleted' = created.status;
declare const page: Reply<'listUsageRecords', 200>;
const cost: string | undefined = page.data[0]?.costUsd;
const next: string | null = page.nextCursor;
// @ts-expect-error There is no such field.
const nothing = page.data[0]?.nonsense;
const problem: components['schemas']['Problem']['code'] = 'not_found';
const key: paths['/api/v1/keys/{keyId}']['get']['parameters']['path']['keyId'] = '0';
export const used = [body, wrong, value, status, cost, next, nothing, problem, key];
`;

describe('a client generated from the OpenAPI document', () => {
  it('type-checks', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'weir-client-'));
    try {
      const ast = await openapiTypescript(
        JSON.parse(text) as Parameters<typeof openapiTypescript>[0],
      );
      writeFileSync(join(folder, 'api.ts'), astToString(ast));
      writeFileSync(join(folder, 'client.ts'), CLIENT);
      const program = ts.createProgram([join(folder, 'client.ts')], {
        strict: true,
        noEmit: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: true,
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
        types: [],
      });
      const problems = ts
        .getPreEmitDiagnostics(program)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
      expect(problems).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
