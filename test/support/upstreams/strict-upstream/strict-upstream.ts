/**
 * An upstream that refuses what a vendor refuses of a model, in the vendor's words, and replies to
 * everything else. One server has all vendors and families, each below a path of its own. Its rules
 * are from other sources than those of the profiles that Weir has of the same vendors.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Turn } from '../../../gateway/data-plane/settlement/support/turn-upstreams.ts';
import { SAID, streamedReply, wholeReply } from './replies.ts';
import type { Json, Refused, Vendor } from './rule.ts';
import { VENDORS } from './vendors.ts';
import { viewOf, type View } from './view.ts';

/** One family of models at one vendor. */
export interface StrictRow {
  /** Such as `openai/o3`. */
  readonly name: string;
  readonly vendor: Vendor;
  /** The upstream's name of the model. */
  readonly model: string;
}

interface Refusal extends Refused {
  /** The name of the rule. */
  readonly rule: string;
  readonly source: string;
}

/** A request to a row, and its refusal. */
export interface StrictRequest {
  readonly body: Json;
  readonly refusal: Refusal | undefined;
}

export interface StrictUpstream {
  /** The base URL of a row, to which a provider adds the path of its protocol. */
  urlOf(row: StrictRow): string;
  /** The requests of a row since it was last asked. */
  take(row: StrictRow): readonly StrictRequest[];
  close(): Promise<void>;
}

export const STRICT_ROWS: readonly StrictRow[] = VENDORS.flatMap((vendor) =>
  Object.keys(vendor.families).map((model) => ({
    name: `${vendor.id}/${model}`,
    vendor,
    model,
  })),
);

/** Returns a row's refusal of a request; undefined if it accepts it. */
export function refusalOf({ vendor, model }: StrictRow, body: Json): Refusal | undefined {
  const view = viewOf(vendor.protocol, body);
  for (const { name, source, check } of [...vendor.rules, ...(vendor.families[model] ?? [])]) {
    const fault = check(body, view);
    if (fault !== undefined) return { ...vendor.refuse(fault, model), rule: name, source };
  }
  return undefined;
}

/** A text that asks for a call of the third tool: `[call 2]`. */
const ASKS_FOR_CALL = /\[call (\d+)\]/g;

/** Writes a row's reply to a request that the row accepts. */
export type TurnOf = (request: {
  readonly row: StrictRow;
  readonly body: Json;
  readonly view: View;
}) => Turn;

/** Calls the tools that the request's texts ask for, unless they have been called already. */
const callAskedTools: TurnOf = ({ body, view: { tools, calls } }) => {
  const asked = [...JSON.stringify(body).matchAll(ASKS_FOR_CALL)];
  const made = asked.flatMap(([, number], index) => {
    const name = tools[Number(number)]?.name;
    return name === undefined ? [] : [{ id: `call_made_${String(index)}`, name, input: { a: 1 } }];
  });
  return made.length > 0 && calls.length === 0 ? { calls: made } : { pieces: [SAID] };
};

/** Undefined of a request without a body, such as a check of a gateway in between. */
async function readBody(request: IncomingMessage): Promise<Json | undefined> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString('utf8');
  return text === '' ? undefined : (JSON.parse(text) as Json);
}

function isStreamed(path: string, body: Json): boolean {
  return path.includes(':streamGenerateContent') || body['stream'] === true;
}

export async function startStrictUpstream(
  turnOf: TurnOf = callAskedTools,
): Promise<StrictUpstream> {
  const seen = STRICT_ROWS.map((): StrictRequest[] => []);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '' } = request;
    const number = Number(/^\/row-(\d+)\//.exec(path)?.[1]);
    const row = STRICT_ROWS[number];
    const body = await readBody(request);
    if (row === undefined || body === undefined) {
      response.writeHead(404).end();
      return;
    }
    const refusal = refusalOf(row, body);
    seen[number]?.push({ body, refusal });
    const json = { 'content-type': 'application/json' };
    if (refusal !== undefined) {
      response.writeHead(refusal.status, json).end(JSON.stringify(refusal.body));
      return;
    }
    const { protocol } = row.vendor;
    const turn = turnOf({ row, body, view: viewOf(protocol, body) });
    if (isStreamed(path, body)) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(streamedReply(protocol, turn).join(''));
    } else {
      response.writeHead(200, json).end(JSON.stringify(wholeReply(protocol, turn)));
    }
  }

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    urlOf: (row) => {
      const base = `http://127.0.0.1:${String(port)}/row-${String(STRICT_ROWS.indexOf(row))}`;
      return row.vendor.protocol.startsWith('openai') ? `${base}/v1` : base;
    },
    take: (row) => seen[STRICT_ROWS.indexOf(row)]?.splice(0) ?? [],
    close: () => close(server),
  };
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => {
    server.close(resolve);
  });
  server.closeAllConnections();
  await closed;
}
