-- AlterTable
ALTER TABLE "turn_vectors" ADD COLUMN "hnsw" BOOLEAN NOT NULL DEFAULT false;
