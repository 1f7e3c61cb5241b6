import type { InjectOptions } from 'fastify';
import type { Person, AdminFixture } from './fixture.ts';
import { addProvider } from './sign-on.ts';

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** A resource, a list or an error of SCIM, as far as tests read it. */
export interface ScimBody {
  readonly schemas: readonly string[];
  readonly id: string;
  readonly userName: string;
  readonly displayName: string;
  readonly externalId?: string;
  readonly active: boolean;
  readonly name?: { readonly givenName?: string; readonly familyName?: string };
  readonly emails?: readonly { readonly value: string; readonly type?: string }[];
  readonly members?: readonly { readonly value: string }[];
  readonly groups?: readonly { readonly value: string }[];
  readonly meta: { readonly location: string; readonly resourceType: string };
  readonly totalResults: number;
  readonly startIndex: number;
  readonly itemsPerPage: number;
  readonly Resources: readonly ScimBody[];
  readonly status: string;
  readonly scimType?: string;
  readonly detail: string;
  readonly [name: string]: unknown;
}

interface ScimReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** Throws when nothing was sent. */
  readonly body: ScimBody;
}

/** A directory that calls Weir with its token. */
export class ScimClient {
  readonly #app: AdminFixture['app'];
  readonly #token: string;

  constructor({ app }: Pick<AdminFixture, 'app'>, token: string) {
    this.#app = app;
    this.#token = token;
  }

  async send(method: InjectOptions['method'], path: string, body?: object): Promise<ScimReply> {
    const {
      statusCode,
      headers,
      body: text,
    } = await this.#app.inject({
      method: method ?? 'GET',
      url: `/scim/v2${path}`,
      headers: {
        authorization: `Bearer ${this.#token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/scim+json; charset=utf-8' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    return {
      status: statusCode,
      headers,
      text,
      get body() {
        return JSON.parse(text) as ScimBody;
      },
    };
  }

  get(path: string) {
    return this.send('GET', path);
  }

  find(resource: 'Users' | 'Groups', filter: string) {
    return this.get(`/${resource}?filter=${encodeURIComponent(filter)}`);
  }

  patch(path: string, ...operations: readonly object[]) {
    return this.send('PATCH', path, { schemas: [PATCH], Operations: operations });
  }

  /** Enters a person as Entra does. Returns the id. */
  async enter(userName: string, more: object = {}): Promise<string> {
    const { status, body } = await this.send('POST', '/Users', {
      schemas: [USER, ENTERPRISE],
      userName,
      active: true,
      emails: [{ primary: true, type: 'work', value: userName }],
      ...more,
    });
    if (status !== 201) throw new Error(`not entered: ${JSON.stringify(body)}`);
    return body.id;
  }

  /** Makes a group with these people. Returns the id. */
  async group(displayName: string, members: readonly string[] = [], more: object = {}) {
    const { status, body } = await this.send('POST', '/Groups', {
      schemas: [GROUP],
      displayName,
      members: members.map((value) => ({ value })),
      ...more,
    });
    if (status !== 201) throw new Error(`not made: ${JSON.stringify(body)}`);
    return body.id;
  }
}

/** Connects a provider with a directory. */
export async function connectDirectory(
  fixture: AdminFixture,
  admin: Person,
  provider: Parameters<typeof addProvider>[2],
) {
  const { id } = await addProvider(fixture, admin, provider);
  const params = { signOnProviderId: id };
  const { reply } = await fixture.ask('createDirectoryToken', { as: admin, params });
  return { params, tokenId: reply.id, scim: new ScimClient(fixture, reply.token) };
}
