/**
 * The yardstick: the least that a proxy on uWebSockets.js and undici has to do. It reads the
 * request's body, sends it to the upstream, and hands status, content type and bytes back as they
 * come, with backpressure; a client that leaves aborts its upstream request. Nothing is parsed,
 * checked, counted or logged. Arguments: upstream origin, connections to it. Sends `{ port }` to
 * its parent and ends with it.
 */
import { Relay, serve } from './relay.ts';

const [origin = '', connections = '512'] = process.argv.slice(2);

serve({ origin, connections: Number(connections) }, (res) => new Relay(res));
