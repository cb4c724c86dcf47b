-- AlterTable
ALTER TABLE "index_progress" ADD COLUMN     "current_since" TIMESTAMPTZ(3);
