# syntax=docker/dockerfile:1

# The npm package with programs, dependencies and client. Its dependencies are a cached layer.
FROM node:24-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS package
WORKDIR /workspace
ENV CI=true
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml ./
COPY db/package.json db/
COPY scripts/package.json scripts/
COPY server/package.json server/
COPY shared/package.json shared/
COPY web/package.json web/
RUN npx -y pnpm@12.21.0 install --frozen-lockfile
COPY . .
RUN node scripts/pack.ts

# The package without files for compilers and other systems.
FROM package AS app
RUN find dist/package -name '*.node' ! -name "linux-$(node -p process.arch).node" -delete \
  && find dist/package -type f -name '*.d.[cm]ts' -delete \
  && find dist/package -type f -name '*.d.ts' -delete \
  && mkdir data

# Node.js and its libraries, without shell and package manager.
FROM gcr.io/distroless/nodejs24-debian13:nonroot@sha256:9eeb7f5887d0e239e78264b06f7f11d2e14be534050481803a9e4728fcdd278e
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_FILE=/data/orchestrate.db
COPY --from=app /workspace/dist/package ./
COPY --from=app --chown=65532:65532 /workspace/data /data
USER 65532:65532
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=2s --timeout=3s --start-period=20s --retries=10 \
  CMD ["/nodejs/bin/node", "-e", "const s = process.env.TLS === 'on' ? 's' : ''; require(`node:http${s}`).get(`http${s}://127.0.0.1:${process.env.PORT}/health`, { rejectUnauthorized: false }, (r) => process.exit(r.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["/nodejs/bin/node"]
CMD ["--max-semi-space-size=4", "bin/orchestrate.js", "start"]
