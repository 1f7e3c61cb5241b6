# The console is built with everything, the server gets only what it runs with. Debian 13: official
# builds of uWebSockets.js need glibc 2.38.
FROM node:22-trixie-slim AS console
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY shared/package.json shared/
COPY gateway/package.json gateway/
COPY console/package.json console/
COPY bench/package.json bench/
RUN npm ci
COPY shared shared
COPY console console
RUN npm run build -w console

FROM node:22-trixie-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY shared/package.json shared/
COPY gateway/package.json gateway/
COPY console/package.json console/
COPY bench/package.json bench/
# The two workspaces of the server only: no development tools, no Angular, no second Node.
RUN npm ci --omit=dev --workspace gateway --workspace shared
# The official release of uWebSockets.js takes the place of the older build that package.json brings,
# which stays as "uws-pack" (UWS_MODULE). Where it cannot be fetched, give another source:
#   --build-arg UWS_PACKAGE=npm:@btc-vision/uwebsockets.js@20.57.0
ARG UWS_PACKAGE=github:uNetworking/uWebSockets.js#v20.69.0
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates git \
 && npm install --prefix /uws "uWebSockets.js@$UWS_PACKAGE" \
 && mv node_modules/uWebSockets.js node_modules/uws-pack \
 && rm -f /uws/node_modules/.package-lock.json \
 && cp -a /uws/node_modules/. node_modules/ \
 && find node_modules -name 'uws_*.node' \
    ! -name "uws_linux_$(node -p 'process.arch + "_" + process.versions.modules').node" -delete \
 && node -e "for (const name of ['uWebSockets.js', 'uws-pack']) import(name).then(({ App }) => App.name)"

FROM node:22-trixie-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    DATA_DIR=/data
WORKDIR /app
RUN install -d -o node -g node /data
COPY --from=packages /app/node_modules node_modules
COPY package.json LICENSE ./
COPY shared shared
COPY gateway gateway
COPY --from=console /app/console/dist console/dist
USER node
# The embedded database and the generated SECRET_KEY, when DATABASE_URL is not set.
VOLUME /data
EXPOSE 8080 8081
# An instance with ROLE=admin does not listen on PORT.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "const { ROLE, PORT = 8080, ADMIN_PORT = 8081 } = process.env; fetch(`http://127.0.0.1:${ROLE === 'admin' ? ADMIN_PORT : PORT}/health`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
# As "npm start": one heap of glibc's allocator per core, instead of one per thread, takes 20 MB less.
CMD ["sh", "-c", "MALLOC_ARENA_MAX=${MALLOC_ARENA_MAX:-$(nproc)} exec node --disable-warning=ExperimentalWarning gateway/main.ts"]
