/** An attribute of a resource (RFC 7643, section 7). What is left out has the RFC's default. */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'complex' | 'dateTime';
  readonly multiValued?: true;
  readonly required?: true;
  readonly caseExact?: true;
  readonly readOnly?: true;
  readonly unique?: true;
  readonly subAttributes?: readonly Attribute[];
}

export interface Schema {
  readonly id: string;
  readonly name: string;
  readonly attributes: readonly Attribute[];
}

const text = (name: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  ...more,
});

const VALUE = text('value');
const TYPED = [VALUE, text('type'), text('display'), { name: 'primary', type: 'boolean' }] as const;

/** The schema's attributes are those that Weir uses; others are taken and not stored. */
export const USER_SCHEMA: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  name: 'User',
  attributes: [
    text('userName', { required: true, unique: true }),
    {
      name: 'name',
      type: 'complex',
      subAttributes: [text('formatted'), text('familyName'), text('givenName')],
    },
    text('displayName'),
    text('title'),
    text('userType'),
    { name: 'active', type: 'boolean' },
    { name: 'emails', type: 'complex', multiValued: true, subAttributes: TYPED },
    { name: 'roles', type: 'complex', multiValued: true, subAttributes: TYPED },
    {
      name: 'groups',
      type: 'complex',
      multiValued: true,
      readOnly: true,
      subAttributes: [text('value', { caseExact: true, readOnly: true }), text('display')],
    },
  ],
};

export const ENTERPRISE_SCHEMA: Schema = {
  id: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  name: 'EnterpriseUser',
  attributes: ['employeeNumber', 'costCenter', 'organization', 'division', 'department'].map(
    (name) => text(name),
  ),
};

export const GROUP_SCHEMA: Schema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  name: 'Group',
  attributes: [
    text('displayName', { required: true, unique: true }),
    {
      name: 'members',
      type: 'complex',
      multiValued: true,
      subAttributes: [text('value', { caseExact: true }), text('display'), text('type')],
    },
  ],
};

/** Attributes of every resource (RFC 7643, section 3.1), which are in no schema. */
const COMMON: readonly Attribute[] = [
  text('id', { caseExact: true, readOnly: true, unique: true }),
  text('externalId', { caseExact: true }),
  {
    name: 'meta',
    type: 'complex',
    readOnly: true,
    subAttributes: [
      text('resourceType', { caseExact: true }),
      { name: 'created', type: 'dateTime' },
      { name: 'lastModified', type: 'dateTime' },
      text('location', { caseExact: true }),
    ],
  },
];

/** A kind of resource with its schema and the extension that it may have. */
export interface ResourceKind {
  readonly name: 'User' | 'Group';
  readonly endpoint: '/Users' | '/Groups';
  readonly schema: Schema;
  readonly extension?: Schema;
}

export const USER_KIND: ResourceKind = {
  name: 'User',
  endpoint: '/Users',
  schema: USER_SCHEMA,
  extension: ENTERPRISE_SCHEMA,
};

export const GROUP_KIND: ResourceKind = {
  name: 'Group',
  endpoint: '/Groups',
  schema: GROUP_SCHEMA,
};

/** The place of an attribute in a resource: its names in their order, and its description. */
export interface Located {
  /** The extension's URN, the attribute and its sub-attribute, as far as each is named. */
  readonly names: readonly string[];
  /** The attribute at the top or of the extension; undefined for the extension as a whole. */
  readonly attribute: Attribute | undefined;
  readonly sub: Attribute | undefined;
}

/** Finds an attribute by its name, in any case as SCIM has it. */
export function attributeIn(
  attributes: readonly Attribute[] | undefined,
  name: string,
): Attribute | undefined {
  const wanted = name.toLowerCase();
  return attributes?.find((one) => one.name.toLowerCase() === wanted);
}

/** Finds a field of what a client sent by its name, in any case; undefined where there is none. */
export function fieldIn(
  sent: Readonly<Record<string, unknown>>,
  name: string,
): readonly [name: string, value: unknown] | undefined {
  const wanted = name.toLowerCase();
  return Object.entries(sent).find(([one]) => one.toLowerCase() === wanted);
}

/** The name without the URN in front, and whether that was the extension's. */
function withoutUrn(kind: ResourceKind, path: string): readonly [string, boolean] {
  const lower = path.toLowerCase();
  for (const schema of [kind.extension, kind.schema]) {
    const urn = schema?.id.toLowerCase();
    if (urn === undefined) continue;
    const isExtension = schema === kind.extension;
    if (lower === urn) return ['', isExtension];
    if (lower.startsWith(`${urn}:`)) return [path.slice(urn.length + 1), isExtension];
  }
  return [path, false];
}

/** Attributes at the top of a resource. */
export function topAttributes({ schema }: ResourceKind): readonly Attribute[] {
  return [...COMMON, ...schema.attributes];
}

/**
 * Finds what a path such as `name.givenName` or `urn:…:User:department` names. Undefined for an
 * attribute that Weir does not have.
 */
export function locate(kind: ResourceKind, path: string): Located | undefined {
  const [name, isExtension] = withoutUrn(kind, path);
  const urn = isExtension && kind.extension !== undefined ? [kind.extension.id] : [];
  if (name === '') {
    return urn.length === 0 ? undefined : { names: urn, attribute: undefined, sub: undefined };
  }
  const [first = '', second, ...rest] = name.split('.');
  const attribute = attributeIn(
    isExtension ? kind.extension?.attributes : topAttributes(kind),
    first,
  );
  if (attribute === undefined || rest.length > 0) return undefined;
  if (second === undefined) {
    return { names: [...urn, attribute.name], attribute, sub: undefined };
  }
  const sub = attributeIn(attribute.subAttributes, second);
  if (sub === undefined) return undefined;
  return { names: [...urn, attribute.name, sub.name], attribute, sub };
}
