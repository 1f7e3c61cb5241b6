import { COUNT_MAX } from '../resources/resource-page.ts';
import {
  ENTERPRISE_SCHEMA,
  GROUP_KIND,
  GROUP_SCHEMA,
  USER_KIND,
  USER_SCHEMA,
  type Attribute,
  type ResourceKind,
  type Schema,
} from './schema.ts';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0';
const KINDS: readonly ResourceKind[] = [USER_KIND, GROUP_KIND];
const SCHEMAS: readonly Schema[] = [USER_SCHEMA, ENTERPRISE_SCHEMA, GROUP_SCHEMA];

const meta = (root: string, resourceType: string, path: string) => ({
  resourceType,
  location: `${root}${path}`,
});

/** The parts of SCIM that this service has (RFC 7643, section 5). */
export function serviceProviderConfig(root: string): object {
  return {
    schemas: [`${CORE}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: COUNT_MAX },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'The token that the operator has made for the directory.',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: meta(root, 'ServiceProviderConfig', '/ServiceProviderConfig'),
  };
}

function attributeView(attribute: Attribute): object {
  const { name, type, multiValued, required, caseExact, readOnly, unique } = attribute;
  const { subAttributes } = attribute;
  return {
    name,
    type,
    multiValued: multiValued ?? false,
    required: required ?? false,
    caseExact: caseExact ?? false,
    mutability: readOnly === true ? 'readOnly' : 'readWrite',
    returned: 'default',
    uniqueness: unique === true ? 'server' : 'none',
    ...(subAttributes === undefined ? {} : { subAttributes: subAttributes.map(attributeView) }),
  };
}

/** All schemas with their attributes (RFC 7643, section 7). */
export function schemas(root: string): readonly { readonly id: string }[] {
  return SCHEMAS.map(({ id, name, attributes }) => ({
    schemas: [`${CORE}:Schema`],
    id,
    name,
    attributes: attributes.map(attributeView),
    meta: meta(root, 'Schema', `/Schemas/${id}`),
  }));
}

/** The kinds of resources (RFC 7643, section 6). */
export function resourceTypes(root: string): readonly { readonly id: string }[] {
  return KINDS.map(({ name, endpoint, schema, extension }) => ({
    schemas: [`${CORE}:ResourceType`],
    id: name,
    name,
    endpoint,
    schema: schema.id,
    ...(extension === undefined
      ? {}
      : { schemaExtensions: [{ schema: extension.id, required: false }] }),
    meta: meta(root, 'ResourceType', `/ResourceTypes/${name}`),
  }));
}
