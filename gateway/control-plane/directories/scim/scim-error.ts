/** Kinds of errors that clients act on (RFC 7644, section 3.12). */
export type ScimType =
  | 'invalidFilter'
  | 'invalidPath'
  | 'invalidSyntax'
  | 'invalidValue'
  | 'mutability'
  | 'noTarget'
  | 'tooMany'
  | 'uniqueness';

export const SCIM_MEDIA_TYPE = 'application/scim+json; charset=utf-8';
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** A SCIM request that is refused. It is thrown, so that its transaction is rolled back. */
export class ScimError extends Error {
  readonly status: number;
  readonly scimType: ScimType | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(
    status: number,
    detail: string,
    more: { readonly scimType?: ScimType | undefined; readonly retryAfterMs?: number } = {},
  ) {
    super(detail);
    this.status = status;
    this.scimType = more.scimType;
    this.retryAfterMs = more.retryAfterMs;
  }

  /** The body of the reply. SCIM writes the status as text. */
  body(): object {
    return {
      schemas: [ERROR_SCHEMA],
      status: String(this.status),
      ...(this.scimType === undefined ? {} : { scimType: this.scimType }),
      detail: this.message,
    };
  }
}

/** A request whose content is wrong. */
export function invalid(scimType: ScimType, detail: string): ScimError {
  return new ScimError(400, detail, { scimType });
}
