import fastifyCookie from '@fastify/cookie';
import fastifyHelmet from '@fastify/helmet';
import fastifyRateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import type { CaptchaProvider } from '@weir/shared/people/settings';
import type { AdminDeps, AdminLimits } from './admin-deps.ts';
import { compressReplies } from './api/compress-replies.ts';
import { clientAddressOf } from './api/callers/client-address.ts';
import { PeriodicJobs } from '../platform/telemetry/periodic-jobs.ts';
import type { AdminContext } from './api/context.ts';
import { handleErrors } from './api/error-handler.ts';
import { RecentCallers } from './api/callers/recent-callers.ts';
import { registerRoutes, routeOptions } from './api/register-routes.ts';
import { compileRequestSchema, writeCheckedReply, writeReply } from './api/schema-checks.ts';
import { serveConsole } from './console/serve-console.ts';
import { serveScim, withoutSpareSlashes } from './directories/scim/serve-scim.ts';
import { HANDLERS } from './handlers.ts';
import { serveHealth, serveReady } from './health/health.ts';
import { startJobs } from './housekeeping/housekeeping.ts';
import { InvoicePrinter } from './invoices/print/invoice-printer.ts';
import { openMailer } from './mail/mailer.ts';
import { openServer } from './open-server.ts';
import { gatherOpenApi, serveOpenApi } from './openapi/serve-openapi.ts';
import { openStripe } from './orders/stripe-client.ts';
import { readSettings } from './settings/read-settings.ts';
import { ProviderClients } from './sign-on/providers/provider-clients.ts';

const HSTS_SECONDS = 31_536_000;
const RATE_WINDOW_MS = 60_000;
/** Addresses whose requests are counted at the same time. */
const RATE_ADDRESSES_MAX = 50_000;
const FORM_BYTES_MAX = 32_768;

const LIMITS: AdminLimits = {
  requestsPerMinute: 1_200,
  guardedRequestsPerMinute: 30,
  attemptsPerSubject: 10,
  attemptsPerSubjectFromAnywhere: 100,
};

async function contextOf(deps: AdminDeps): Promise<AdminContext> {
  const { config, logger, stripeAddress } = deps;
  return {
    ...deps,
    limits: { ...LIMITS, ...deps.limits },
    jobs: deps.jobs ?? new PeriodicJobs(logger),
    mailer: await openMailer({ smtpUrl: config.smtpUrl, from: config.mailFrom, logger }),
    printer: new InvoicePrinter(logger),
    stripe: await openStripe(config, stripeAddress),
    signOnClients: new ProviderClients({
      secrets: deps.secrets,
      allowPrivateUpstreams: config.allowPrivateUpstreams,
    }),
  };
}

/** JSON is the only body there is; none at all is none, whatever its content type says. */
function parseBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      if (body === '') done(null, undefined);
      else void parseJson(request, body, done);
    },
  );
}

/**
 * One line for each request: the route, never the address's query, which may name what a person
 * looked for.
 */
function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { routeId } = request.routeOptions.config;
    if (routeId !== undefined) {
      request.log.info(
        {
          route: routeId,
          status: reply.statusCode,
          latencyMs: Math.round(reply.elapsedTime),
          userId: request.identity?.userId,
          address: clientAddressOf(request),
        },
        'admin request',
      );
    }
    done();
  });
}

/**
 * Logs once that requests come through a proxy that is not configured: all clients behind it count
 * as one address, so that the attempts of one use up the limits of all.
 */
function warnOfProxy(app: FastifyInstance): void {
  let isSaid = false;
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isSaid && request.headers['x-forwarded-for'] !== undefined) {
      isSaid = true;
      request.log.warn(
        'Requests have X-Forwarded-For, but TRUSTED_PROXY_HOPS is 0: all clients behind a proxy count as one address. Set it to the number of proxies in front.',
      );
    }
    done();
  });
}

async function addProtection(
  app: FastifyInstance,
  context: AdminContext,
  callers: RecentCallers,
): Promise<void> {
  await app.register(fastifyCookie, { hook: 'onRequest' });
  await app.register(fastifyHelmet, {
    // Pages have a policy with a nonce of their own; everything else may load nothing.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: context.consoleUrl.startsWith('https:')
      ? { maxAge: HSTS_SECONDS, includeSubDomains: false }
      : false,
  });
  await app.register(fastifyRateLimit, {
    global: true,
    max: context.limits.requestsPerMinute,
    timeWindow: RATE_WINDOW_MS,
    cache: RATE_ADDRESSES_MAX,
    keyGenerator: (request) => callers.keyOf(request),
  });
}

/**
 * Returns the captcha that a page may load; the last known one while the database does not reply.
 */
function captchaReader({ pool }: AdminContext): () => Promise<CaptchaProvider> {
  let last: CaptchaProvider = 'none';
  return async () => {
    try {
      last = (await readSettings(pool)).captchaProvider;
    } catch {
      // The page is served anyway, and says itself what does not answer.
    }
    return last;
  };
}

/** Personal answers belong in no cache. Routes that may be kept say so themselves. */
function forbidCaching(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    void reply.header('x-request-id', request.id);
    if (request.routeOptions.config.routeId !== undefined && !reply.hasHeader('cache-control')) {
      void reply.header('cache-control', 'no-store');
    }
    done(null, payload);
  });
}

/** The signature is over the very bytes, so this route alone gets them unparsed. */
async function addWebhook(app: FastifyInstance, context: AdminContext): Promise<void> {
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => {
      parsed(null, body);
    });
    scope.route(routeOptions(context, 'receiveStripeWebhook', HANDLERS.receiveStripeWebhook));
    done();
  });
}

/** OpenID Connect sends logout tokens as a form. */
async function addLogoutTokens(app: FastifyInstance, context: AdminContext): Promise<void> {
  await app.register((scope, _options, done) => {
    scope.addContentTypeParser<string>(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES_MAX },
      (_request, body, parsed) => parsed(null, Object.fromEntries(new URLSearchParams(body))),
    );
    scope.route(routeOptions(context, 'receiveLogoutToken', HANDLERS.receiveLogoutToken));
    done();
  });
}

/**
 * The admin API, its reference and the console, ready to `listen`. `close` ends the jobs and waits
 * for mails; pool and ledger stay the caller's.
 */
export async function createAdminServer(deps: AdminDeps): Promise<FastifyInstance> {
  const context = await contextOf(deps);
  const app = openServer(deps, withoutSpareSlashes);
  app.setValidatorCompiler(compileRequestSchema);
  app.setSerializerCompiler(deps.checkReplies === true ? writeCheckedReply : writeReply);
  app.decorateRequest('identity', null);
  handleErrors(app);
  parseBodies(app);
  logRequests(app);
  if (deps.config.trustedProxyHops === 0) warnOfProxy(app);
  compressReplies(app);
  forbidCaching(app);
  const callers = new RecentCallers(context.consoleUrl);
  callers.follow(app);
  await addProtection(app, context, callers);
  await gatherOpenApi(app);
  await addWebhook(app, context);
  await addLogoutTokens(app, context);
  registerRoutes(app, context, HANDLERS, {
    except: ['receiveStripeWebhook', 'receiveLogoutToken'],
  });
  await serveScim(app, context);
  serveHealth(app);
  if (deps.storesState !== undefined) serveReady(app, deps.storesState);
  serveOpenApi(app, context.gatewayUrl);
  await serveConsole(app, {
    folder: deps.consoleFolder,
    gatewayUrl: context.gatewayUrl,
    readCaptcha: captchaReader(context),
  });
  app.addHook('onReady', (done) => {
    if (deps.runJobs !== false) startJobs(context);
    done();
  });
  app.addHook('onClose', async () => {
    await context.jobs.stop();
    await context.mailer.close();
    await context.printer.close();
  });
  return app;
}
