/** Status lines are made once; uWS wants code and reason in one string. */
const STATUS_LINES = new Map<number, string>(
  Object.entries({
    200: 'OK',
    204: 'No Content',
    308: 'Permanent Redirect',
    400: 'Bad Request',
    401: 'Unauthorized',
    402: 'Payment Required',
    403: 'Forbidden',
    404: 'Not Found',
    405: 'Method Not Allowed',
    408: 'Request Timeout',
    413: 'Content Too Large',
    415: 'Unsupported Media Type',
    426: 'Upgrade Required',
    429: 'Too Many Requests',
    500: 'Internal Server Error',
    502: 'Bad Gateway',
    503: 'Service Unavailable',
    504: 'Gateway Timeout',
  }).map(([code, reason]) => [Number(code), `${code} ${reason}`]),
);

export function statusLine(status: number): string {
  return STATUS_LINES.get(status) ?? `${status} Status`;
}
