-- A candidate fact is compared with all facts of the user by the signs of their vectors. To work them out each time took most of the time.
ALTER TABLE fact_vectors ADD COLUMN signs VARBIT GENERATED ALWAYS AS (binary_quantize(embedding)) STORED;
