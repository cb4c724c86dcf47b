import { defineConfig } from 'prisma/config';

// `prisma generate` looks for a schema engine it does not use and would download it: any
// existing file satisfies the look-up.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({ schema: 'prisma/schema.prisma' });
