# The server, without the tools to build and test it. The base image exists for amd64 and arm64, and what is installed is
# JavaScript and WebAssembly: "docker buildx build --platform linux/amd64,linux/arm64" builds once, on its own processor, for both.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json prisma.config.ts tsconfig.json esbuild.config.mjs ./
COPY prisma ./prisma
COPY packages ./packages
COPY src ./src
RUN npm ci --no-audit --no-fund && npm prune --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data LOCAL_MODELS=/data/models
# The C library keeps freed memory in many pieces by default; with these it returns more of it.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=32768 MALLOC_TRIM_THRESHOLD_=131072
COPY --from=build --chown=node:node /app/package.json ./
COPY --from=build --chown=node:node /app/prisma ./prisma
COPY --from=build --chown=node:node /app/node_modules ./node_modules
COPY --from=build --chown=node:node /app/packages ./packages
COPY --from=build --chown=node:node /app/dist ./dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD node -e "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
# As "npm start", without npm between the signal and the server.
CMD ["node", "--max-semi-space-size=8", "--v8-pool-size=1", "--heap-growing-percent=40", \
  "--no-regexp-tier-up", "--wasm-tiering-budget=13000000", "--disable-warning=DeprecationWarning", "dist/main.js"]
