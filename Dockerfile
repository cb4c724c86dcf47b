# The server, without the tools to build and test it.
FROM node:20-bookworm-slim AS modules
WORKDIR /app
COPY package.json package-lock.json prisma.config.ts tsconfig.json ./
COPY prisma ./prisma
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
COPY --from=modules --chown=node:node /app ./
COPY --chown=node:node src ./src
COPY --from=modules --chown=node:node /app/src/db/generated ./src/db/generated
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD node -e "fetch('http://127.0.0.1:4000/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"
# As "npm start", without npm between the signal and the server.
CMD ["node", "--max-semi-space-size=16", "--v8-pool-size=1", "--disable-warning=DeprecationWarning", "--import", "tsx", "src/main.ts"]
