/** The request that is sent repeatedly. It crosses to the driver's process. */
export interface RequestShape {
  readonly path: string;
  /** At least one; used in turn. */
  readonly bodies: readonly string[];
  /** Headers of every request besides content type, length and authorization. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bearer keys, at least one; used in turn, each connection with a share of its own. */
  readonly keys: readonly string[];
}

export interface Variant {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The different requests of a shape: as many as it has keys or bodies, whichever are more. */
export function variants({ bodies, keys, headers }: RequestShape): Variant[] {
  return Array.from({ length: Math.max(bodies.length, keys.length) }, (_, index) => ({
    body: bodies[index % bodies.length] ?? '',
    headers: {
      authorization: `Bearer ${keys[index % keys.length] ?? ''}`,
      'content-type': 'application/json',
      ...headers,
    },
  }));
}

export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** The bytes of every different request of a shape, made before anything is measured. */
export function requestBytes(shape: RequestShape, { host, port }: Destination): Buffer[] {
  return variants(shape).map(({ body, headers }) => {
    const all = { host: `${host}:${port}`, ...headers, 'content-length': Buffer.byteLength(body) };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.from(`POST ${shape.path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  });
}
