-- Tells that a former embedder's vectors are gone.
ALTER TYPE "EventKind" ADD VALUE 'VECTORS_DROPPED' AFTER 'TURNS_INDEXED';
