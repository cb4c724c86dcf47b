-- Which facts a profile was made from: it goes, or is made anew, when one of them does not hold any more.
ALTER TABLE "profiles" ADD COLUMN "source_fact_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[];
