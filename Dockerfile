# See docs/operate/install.md, "Run in a container"; compose.yaml runs one instance of this image, and compose.cluster.yaml several.
FROM node:24.21.0-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc tsconfig.json ./
RUN npm ci
COPY LICENSE CHANGELOG.md ./
COPY docs/api.md docs/
COPY scripts scripts
COPY src src
# From `npm run build-version`, as there is no git here.
ARG VERSION=
# The Node from npm is for machines without one; the base image has it already.
RUN npm pack --silent && npm install --prefix /srv/summit ./summit-*.tgz \
  && rm -rf /srv/summit/node_modules/node-linux-* /srv/summit/node_modules/.bin/node

FROM node:24.21.0-slim
COPY --from=build /srv/summit /srv/summit
RUN ln -s /srv/summit/node_modules/.bin/summit /usr/local/bin/ && install -d -m 0700 -o node -g node /data

# With HOST beyond loopback, Summit does not start unless ACCESS is set. A new summit starts without the sample data. The
# database engine needs a folder for temporary files, and the root of the container may be read-only.
ENV NODE_ENV=production BEGIN_WITH=empty DATA_DIR=/data TMPDIR=/data HOST=0.0.0.0 PORT=3000
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["summit", "serve"]
