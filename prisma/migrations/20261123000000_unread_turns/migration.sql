-- Turns that the rules could not read in time. They are found by words and meaning, and read by models.
ALTER TABLE "turns" ADD COLUMN "unread_by_rules" BOOLEAN NOT NULL DEFAULT false;
ALTER TYPE "EventKind" ADD VALUE 'TURN_UNREAD' AFTER 'TURNS_INDEXED';
