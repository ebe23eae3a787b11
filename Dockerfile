# syntax=docker/dockerfile:1

# Everything an install needs and nothing that changes more often.
FROM node:24-slim AS workspace
WORKDIR /app
ENV CI=true
RUN npm install --global pnpm@12
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY db/package.json db/
COPY db/patches db/patches
COPY scripts/package.json scripts/
COPY server/package.json server/
COPY shared/package.json shared/
COPY web/package.json web/

FROM workspace AS client
RUN pnpm install --frozen-lockfile
COPY . .
RUN node scripts/build-client.ts

FROM workspace AS modules
RUN pnpm install --frozen-lockfile --prod --filter '@orchestrate/server...'

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_FILE=/data/orchestrate.db
# The modules are links between the packages, so the packages keep their places.
COPY --from=modules /app ./
COPY shared/src shared/src
COPY db/migrations db/migrations
COPY db/src db/src
COPY server/main.js server/
COPY server/src server/src
COPY --from=client /app/web/dist web/dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "const s = process.env.TLS === 'on' ? 's' : ''; require(`node:http${s}`).get(`http${s}://127.0.0.1:${process.env.PORT}/api/health`, { rejectUnauthorized: false }, (r) => process.exit(r.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=4", "server/main.js"]
