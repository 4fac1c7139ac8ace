# See docs/operate.md; compose.yaml runs several instances of this image.
FROM node:24.21.0-slim AS install
WORKDIR /srv/summit
COPY package.json package-lock.json .npmrc ./
# The Node from npm is for machines without one; the base image has it already.
RUN npm ci --omit=dev --include=optional && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM node:24.21.0-slim
WORKDIR /srv/summit
COPY --from=install /srv/summit/node_modules node_modules
COPY package.json ./
COPY scripts/require-node.mjs scripts/
COPY docs/api.md docs/
COPY src src
RUN install -d -m 0700 -o node -g node /data

# With HOST beyond loopback, Summit does not start unless ACCESS is set. A new summit starts without the sample data.
ENV NODE_ENV=production BEGIN_WITH=empty DATA_DIR=/data HOST=0.0.0.0 PORT=3000
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Start node directly, so that it receives signals.
CMD ["node", "--no-allocation-site-pretenuring", "--expose-gc", "--import", "./scripts/require-node.mjs", "--", "src/server/main.ts"]
