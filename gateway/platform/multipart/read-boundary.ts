/** RFC 2046, section 5.1.1: up to 70 of these, the last of which is no space. */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;

/** A parameter of a header: a token, or a quoted text with escapes. */
const PARAMETER = /;\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/y;

/** Returns whether a content-type header declares a form with files. */
export function isMultipart(contentType: string): boolean {
  return /^\s*multipart\/form-data\s*(;|$)/i.test(contentType);
}

/** Returns the boundary that a content-type header names; undefined if it names none, or two. */
export function readBoundary(contentType: string): string | undefined {
  const parameters = readParameters(contentType);
  const boundary = parameters?.get('boundary');
  return boundary !== undefined && BOUNDARY.test(boundary) ? boundary : undefined;
}

/**
 * Returns the parameters of a header by their names in lower case; undefined if they cannot be
 * read, or one is there twice: two readers could take different ones.
 */
export function readParameters(header: string): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>();
  const first = header.indexOf(';');
  if (first === -1) return parameters;
  PARAMETER.lastIndex = first;
  let end = first;
  for (let match = PARAMETER.exec(header); match !== null; match = PARAMETER.exec(header)) {
    const [, name = '', quoted, token = ''] = match;
    const key = name.toLowerCase();
    if (parameters.has(key)) return undefined;
    parameters.set(key, quoted === undefined ? token : quoted.replaceAll(/\\(["\\])/g, '$1'));
    end = PARAMETER.lastIndex;
  }
  return /^[\s;]*$/.test(header.slice(end)) ? parameters : undefined;
}
