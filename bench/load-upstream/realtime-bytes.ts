import type { TemplatedApp, WebSocket } from 'uWebSockets.js';

/** One reply of a session: so many events of sound, one every so many milliseconds. */
interface SpokenPlan {
  readonly events: number;
  readonly bytes: number;
  readonly intervalMs: number;
}

/** Returns the plan of a model name such as `realtime-50-8000-4`. */
function spokenPlan(model: string): SpokenPlan {
  const [, events = '1', bytes = '1000', intervalMs = '1'] = model.split('-');
  return { events: Number(events), bytes: Number(bytes), intervalMs: Number(intervalMs) };
}

const ASKS = Buffer.from('"type":"response.create"');
const USAGE = {
  ...{ total_tokens: 1_500, input_tokens: 1_000, output_tokens: 500 },
  input_token_details: { text_tokens: 400, audio_tokens: 600, cached_tokens: 0 },
  output_token_details: { text_tokens: 100, audio_tokens: 400 },
};

interface SocketData {
  readonly plan: SpokenPlan;
  timer: NodeJS.Timeout | undefined;
}

let replies = 0;

function reply(ws: WebSocket<SocketData>): void {
  const data = ws.getUserData();
  const { events, bytes, intervalMs } = data.plan;
  replies += 1;
  const response = { id: `resp_${replies}`, object: 'realtime.response', status: 'in_progress' };
  const about = { response_id: response.id, item_id: 'item_1', output_index: 0, content_index: 0 };
  const delta = 'UklG'.repeat(Math.ceil(bytes / 4));
  const sound = JSON.stringify({
    type: 'response.output_audio.delta',
    ...{ event_id: 'event_1', ...about, delta },
  });
  ws.send(JSON.stringify({ type: 'response.created', event_id: 'event_0', response }));
  let sent = 0;
  data.timer = setInterval(() => {
    if (sent < events) {
      sent += 1;
      ws.send(sound);
      return;
    }
    clearInterval(data.timer);
    const done = { ...response, status: 'completed', usage: USAGE };
    ws.send(JSON.stringify({ type: 'response.done', event_id: 'event_2', response: done }));
  }, intervalMs);
}

/** Serves realtime sessions: what a client says is taken, and each reply is like the last. */
export function serveSessions(app: TemplatedApp): void {
  app.ws<SocketData>('/*', {
    compression: 0,
    maxPayloadLength: 16 * 1024 * 1024,
    maxBackpressure: 0,
    idleTimeout: 0,
    upgrade: (res, req, context) => {
      const plan = spokenPlan(req.getQuery('model') ?? '');
      const [key, protocol] = ['sec-websocket-key', 'sec-websocket-protocol'].map((name) =>
        req.getHeader(name),
      );
      res.upgrade({ plan, timer: undefined }, key ?? '', protocol ?? '', '', context);
    },
    open: (ws) => {
      const session = { type: 'realtime', object: 'realtime.session', id: 'sess_1' };
      ws.send(JSON.stringify({ type: 'session.created', event_id: 'event_1', session }));
    },
    message: (ws, message) => {
      if (Buffer.from(message).includes(ASKS)) reply(ws);
    },
    close: (ws) => {
      clearInterval(ws.getUserData().timer);
    },
  });
}
